package dev.loopkeeper.step;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The sandbox of a step on one machine. Paths are absolute and normalised.
 *
 * @param write folders and files that are writable
 * @param hide what cannot be read, except what is writable below it
 * @param guard what cannot be changed although it is in a writable folder, where the machine has bubblewrap
 * @param network whether TCP is allowed
 * @param level what the machine enforces, see {@link SandboxRungs#level}
 * @param lacking what the machine cannot enforce and what to do; then nothing may be launched
 */
public record SandboxPlan(
        List<String> write,
        List<String> hide,
        List<String> guard,
        boolean network,
        String level,
        Optional<String> lacking) {
    /** State folders below the home folder, by the name of the agent's program. */
    private static final Map<String, List<String>> STATE = Map.ofEntries(
            Map.entry("claude", List.of(".claude", ".claude.json", ".cache/claude", ".local/state/claude")),
            Map.entry("codex", List.of(".codex")),
            Map.entry("gemini", List.of(".gemini")),
            Map.entry("qwen", List.of(".qwen")),
            Map.entry("cursor-agent", List.of(".cursor", ".config/cursor")),
            Map.entry("goose", List.of(".config/goose", ".local/share/goose", ".local/state/goose")),
            Map.entry(
                    "opencode",
                    List.of(".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode")));

    /**
     * Git folders of a workspace.
     *
     * @param write what commits write
     * @param guard in them and in the workspace: what would make a later git run programs
     * @param inPlace whether a person uses the workspace with git
     */
    public record Git(List<String> write, List<String> guard, boolean inPlace) {
        /** Name of the settings of one checkout, which {@code extensions.worktreeConfig} turns on. */
        public static final String OWN_SETTINGS = "config.worktree";

        /** The same of a worktree of the repository that is not there yet. */
        public Git ofWorktree() {
            return new Git(write, ownSettings(), false);
        }

        private List<String> ownSettings() {
            return guard.stream()
                    .filter(path -> path.endsWith("/" + OWN_SETTINGS))
                    .toList();
        }
    }

    /**
     * Facts of the machine and the step.
     *
     * @param program path or name of the agent's program
     * @param home of the agent
     * @param temporary the step's own temporary folder
     * @param never what no step may read: homes of other users, the data folder and files with secrets of the server
     * @param matched what {@code protect} matches now
     * @param real resolves the links of a path: the kernel decides by what a path leads to
     */
    public record Facts(
            SandboxRungs machine,
            String program,
            String workspace,
            String home,
            String temporary,
            Git git,
            List<String> never,
            List<String> matched,
            UnaryOperator<String> real) {}

    /** The plan for this sandbox; it fails closed, see {@link #lacking}. */
    public static SandboxPlan of(SandboxSpec spec, Facts facts) {
        List<String> write = new ArrayList<>();
        spec.write().forEach(path -> write.add(resolved(path, facts)));
        if (spec.write().contains(".")) {
            write.addAll(facts.git().write());
        }
        if (spec.usual()) {
            write.add(facts.temporary());
            String name = facts.program().substring(facts.program().lastIndexOf('/') + 1);
            STATE.getOrDefault(name, List.of())
                    .forEach(folder -> write.add(facts.real().apply(facts.home() + "/" + folder)));
        }
        List<String> hide = Stream.concat(
                        facts.never().stream()
                                .filter(path -> !isBelow(facts.real().apply(facts.home()), path)),
                        spec.hide().stream().map(path -> resolved(path, facts)))
                .toList();
        List<String> guard = Stream.concat(facts.git().guard().stream(), facts.matched().stream())
                .filter(path -> isBelowOne(path, write))
                .toList();
        return new SandboxPlan(
                List.copyOf(write),
                hide,
                guard,
                spec.network(),
                facts.machine().level(spec),
                lacking(spec, facts, write, hide));
    }

    private static Optional<String> lacking(SandboxSpec spec, Facts facts, List<String> write, List<String> hide) {
        return facts.machine()
                .lacking(spec)
                .or(() -> hide.stream()
                        .filter(hidden -> isBelowOne(hidden, write))
                        .findFirst()
                        .flatMap(hidden -> facts.machine()
                                .lacking(
                                        "hide " + hidden + " in a writable folder",
                                        "move it out of the workspace and of write")))
                .or(() -> !facts.git().inPlace() && isAnyBelow(facts.git().ownSettings(), write)
                        ? facts.machine()
                                .lacking(
                                        "protect the settings of a worktree (" + Git.OWN_SETTINGS + ")",
                                        "set extensions.worktreeConfig of the repository to false")
                        : Optional.empty())
                .or(() -> facts.git().inPlace() && isAnyBelow(facts.git().guard(), write)
                        ? facts.machine()
                                .lacking(
                                        "protect .git/hooks and .git/config of the workspace",
                                        "set isolation: {git: worktree}")
                        : Optional.empty());
    }

    private static boolean isAnyBelow(List<String> paths, List<String> folders) {
        return paths.stream().anyMatch(path -> isBelowOne(path, folders));
    }

    /** Whether a path is one of these folders or in one. */
    public static boolean isBelowOne(String path, List<String> folders) {
        return folders.stream().anyMatch(folder -> isBelow(path, folder));
    }

    /** Whether a path is this folder or in it. */
    public static boolean isBelow(String path, String folder) {
        return path.equals(folder) || path.startsWith(folder.endsWith("/") ? folder : folder + "/");
    }

    /** Removes {@code .}, {@code ..} and links, since a rule names what a path leads to. */
    private static String resolved(String path, Facts facts) {
        String full = path.equals("~") || path.startsWith("~/")
                ? facts.home() + path.substring(1)
                : path.startsWith("/") ? path : facts.workspace() + "/" + path;
        List<String> parts = new ArrayList<>();
        for (String part : full.split("/", -1)) {
            if (part.equals("..")) {
                if (!parts.isEmpty()) {
                    parts.remove(parts.size() - 1);
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return facts.real().apply("/" + String.join("/", parts));
    }
}
