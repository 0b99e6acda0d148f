package dev.loopkeeper.process;

import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.step.SandboxPlan;
import dev.loopkeeper.step.SandboxRungs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sandboxes that this machine can enforce, found by a trial.
 *
 * @param launcher the native launcher; empty where it does not work
 * @param bubblewrap path of the program; empty where there is none
 */
public record SandboxMachine(SandboxRungs rungs, String launcher, String bubblewrap) {
    /** Names bubblewrap where it is not on the PATH. */
    private static final String PROPERTY = "loopkeeper.bubblewrap";

    private static final List<String> EVERYTHING = List.of("--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev");

    /** Tries them. Blocking. */
    public static SandboxMachine of(LauncherChoice choice) throws IOException {
        if (choice.program().isEmpty()) {
            return new SandboxMachine(new SandboxRungs(0, Optional.of("there is no native launcher")), "", "");
        }
        String launcher = choice.program().get().install().toString();
        String said = Probe.of(List.of(launcher, "landlock")).said();
        String bubblewrap = found();
        SandboxRungs untried =
                new SandboxRungs(said.matches("\\d{1,9}") ? Integer.parseInt(said) : 0, Optional.empty());
        SandboxMachine machine = new SandboxMachine(untried, launcher, bubblewrap);
        return new SandboxMachine(new SandboxRungs(untried.abi(), machine.refusal()), launcher, bubblewrap);
    }

    /** Tries them in this folder or the nearest one above it that exists, and leaves nothing there. Blocking. */
    public static SandboxMachine near(Path folder) throws IOException {
        Path nearest = folder.toAbsolutePath();
        while (!Files.isDirectory(nearest)) {
            nearest = nearest.getParent();
        }
        Path trial = Files.createTempDirectory(nearest, ".loopkeeper-doctor");
        try {
            return of(LauncherChoice.of(trial.toRealPath()));
        } finally {
            FolderRemoval.remove(trial);
        }
    }

    /**
     * The sandbox of an agent here. Writes nothing. Blocking.
     *
     * @param inPlace whether it works in the workspace itself, without a worktree
     */
    public SandboxPlan plan(SandboxSpec spec, CommandLine command, Path data, Path workspace, boolean inPlace)
            throws IOException {
        Path real = Sandbox.real(workspace);
        SandboxPlan.Git git = SandboxGit.of(Optional.empty(), real);
        Sandbox.Site site = new Sandbox.Site(
                System.getenv().getOrDefault("HOME", "/"),
                Path.of(System.getProperty("java.io.tmpdir"), "loopkeeper-"));
        return Sandbox.plan(
                spec,
                command,
                real,
                inPlace ? git : git.ofWorktree(),
                new Sandbox.Around(data, this, () -> true, List.of()),
                site);
    }

    private static String found() {
        String named = System.getProperty(PROPERTY, "");
        return named.isEmpty()
                ? LauncherScript.found("bwrap").orElse("")
                : Files.isExecutable(Path.of(named)) ? named : "";
    }

    private Optional<String> refusal() throws IOException {
        if (bubblewrap.isEmpty()) {
            return Optional.of("bubblewrap is not installed; install it, e.g. with apt-get install bubblewrap");
        }
        String said = Probe.of(confined(true, "r/", String.join("\n", mounts(List.of())), List.of(launcher, "version")))
                .said();
        return said.matches("\\p{XDigit}{64}")
                ? Optional.empty()
                : Optional.of("bubblewrap does not work here (" + said.split("\n", 2)[0]
                        + "); permit user namespaces, see sysctl user.max_user_namespaces,"
                        + " kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns");
    }

    /** The command of bubblewrap: everything is read-only but for these mounts. */
    List<String> mounts(List<String> more) {
        List<String> words = new ArrayList<>(List.of(bubblewrap));
        words.addAll(EVERYTHING);
        words.addAll(more);
        words.addAll(List.of(launcher, "hold"));
        return words;
    }

    /** Words that execute a command in a sandbox, see launcher.c. */
    List<String> confined(boolean network, String rules, String mounts, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                launcher,
                "confine",
                Integer.toString(SandboxRungs.WRITE_ABI),
                network ? "on" : "off",
                rules,
                rungs.withoutBubblewrap().isEmpty() ? mounts : ""));
        words.addAll(command);
        return words;
    }
}
