package dev.loopkeeper.step;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sandbox of a step on one machine. Paths are absolute and normalised.
 *
 * @param write folders and files that are writable
 * @param hide what cannot be read, except what is writable below it
 * @param network whether TCP is allowed
 * @param level what the machine enforces, e.g. {@code landlock abi 7: write, hide, network}
 * @param lacking what the machine cannot enforce and what to do; then nothing may be launched
 */
public record SandboxPlan(
        List<String> write, List<String> hide, boolean network, String level, Optional<String> lacking) {
    /** The first ABI of Landlock that prevents truncation; before it, each file could be emptied. */
    public static final int WRITE_ABI = 3;

    private static final int NETWORK_ABI = 4;
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
     * Facts of the machine and the step.
     *
     * @param abi version of the kernel's Landlock; 0 where there is none
     * @param program path or name of the agent's program
     * @param home of the agent
     * @param temporary the step's own temporary folder
     * @param git folders of the repository that commits of a worktree write; empty elsewhere
     * @param ownRepository whether a writable folder contains the git folder with its hooks and settings
     * @param never what no step may read: homes of other users and the data folder
     */
    public record Facts(
            int abi,
            String program,
            String workspace,
            String home,
            String temporary,
            List<String> git,
            boolean ownRepository,
            List<String> never) {}

    /** The plan for this sandbox; it fails closed, see {@link #lacking}. */
    public static SandboxPlan of(SandboxSpec spec, Facts facts) {
        List<String> write = new ArrayList<>();
        spec.write().forEach(path -> write.add(resolved(path, facts)));
        if (spec.write().contains(".")) {
            write.addAll(facts.git());
        }
        if (spec.usual()) {
            write.add(facts.temporary());
            String name = facts.program().substring(facts.program().lastIndexOf('/') + 1);
            STATE.getOrDefault(name, List.of()).forEach(folder -> write.add(facts.home() + "/" + folder));
        }
        List<String> hide = Stream.concat(
                        facts.never().stream().filter(path -> !isBelow(facts.home(), path)),
                        spec.hide().stream().map(path -> resolved(path, facts)))
                .toList();
        return new SandboxPlan(
                List.copyOf(write),
                hide,
                spec.network(),
                "landlock abi " + facts.abi() + ": write, hide" + (spec.network() ? "" : ", network"),
                lacking(spec, facts, write, hide));
    }

    private static Optional<String> lacking(SandboxSpec spec, Facts facts, List<String> write, List<String> hide) {
        if (facts.abi() < WRITE_ABI) {
            String has = facts.abi() == 0 ? "has no Landlock" : "has Landlock ABI " + facts.abi();
            return Optional.of("the kernel " + has + ", and ABI 3 is required; use Linux 6.2 or newer with Landlock"
                    + " enabled, or set sandbox: off");
        }
        if (!spec.network() && facts.abi() < NETWORK_ABI) {
            return Optional.of("network: off requires Landlock ABI 4, and the kernel has ABI " + facts.abi()
                    + "; use Linux 6.7 or newer, or set network: on");
        }
        if (!spec.protect().isEmpty()) {
            return Optional.of("Landlock cannot protect files in a writable folder, and bubblewrap is not supported"
                    + " yet; remove protect, or leave these files out of write");
        }
        Optional<String> inside = hide.stream()
                .filter(hidden -> write.stream().anyMatch(folder -> isBelow(hidden, folder)))
                .findFirst();
        if (inside.isPresent()) {
            return Optional.of("Landlock cannot hide " + inside.get() + " in a writable folder, and bubblewrap is not"
                    + " supported yet; move it out of the workspace and of write");
        }
        return facts.ownRepository()
                ? Optional.of("Landlock cannot protect .git/hooks and .git/config of the workspace, and bubblewrap is"
                        + " not supported yet; set isolation: {git: worktree}")
                : Optional.empty();
    }

    /** Whether a path is this folder or in it. */
    public static boolean isBelow(String path, String folder) {
        return path.equals(folder) || path.startsWith(folder.endsWith("/") ? folder : folder + "/");
    }

    /** Removes {@code .} and {@code ..}, since a rule names what a path leads to. */
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
        return "/" + String.join("/", parts);
    }
}
