package dev.loopkeeper.process;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.SandboxPlan;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The sandbox of a step on this machine: the words before the agent's command that enforce it. Blocking.
 *
 * @param plan what is enforced
 * @param words the launcher's own, see launcher.c
 */
record Sandbox(SandboxPlan plan, List<String> words) {
    private static final Path ROOT = Path.of("/");
    private static final List<String> DEVICES = List.of(
            "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts");
    /** An argument has at most 128 KiB. */
    private static final int LONGEST_RULES = 120_000;

    private static final int FIRST_PERSON = 1000;
    private static final int UNPRIVILEGED = 65_534;

    /**
     * The runtime that launches the step.
     *
     * @param closeServer requires a secret of clients, see {@link dev.loopkeeper.contract.OpenServer#close}
     * @param secrets see {@link dev.loopkeeper.contract.SecretFiles}
     */
    record Around(Path data, SandboxMachine machine, BooleanSupplier closeServer, List<Path> secrets) {}

    /** Prepares it. Throws {@link LaunchException} where the machine cannot enforce it. */
    static Sandbox of(
            SandboxSpec spec, StepSpec step, Around around, StepFolder folder, Map<String, String> environment)
            throws IOException {
        SandboxMachine machine = around.machine();
        if (machine.launcher().isEmpty()) {
            throw refused(step, "it requires the native launcher, which does not work here; see loopkeeper doctor");
        }
        if (spec.network() && !around.closeServer().getAsBoolean()) {
            throw refused(
                    step,
                    "the server of " + around.data() + " has no tokens, and the agent could use it to run"
                            + " anything; start it with --token-file, or set network: off");
        }
        Path temporary = temporary(step);
        Path workspace = real(Path.of(step.workspace()));
        SandboxPlan plan = plan(
                spec,
                step.agentSpec().program().command(),
                workspace,
                SandboxGit.of(step.worktree(), workspace),
                around,
                new Site(environment.getOrDefault("HOME", "/"), temporary));
        if (plan.lacking().isPresent()) {
            throw refused(step, plan.lacking().get());
        }
        makeGuarded(plan, step);
        if (spec.usual()) {
            makeState(plan, temporary, environment);
        }
        nameServer(around.data(), environment);
        List<String> own = List.of(
                folder.context().toString(),
                folder.prompt().toString(),
                environment.get("LOOPKEEPER_SIGNAL"),
                machine.launcher());
        String rules = joined(rules(plan, workspace, folder, own), step);
        String mounts = joined(machine.mounts(Mounts.of(plan, own)), step);
        return new Sandbox(plan, machine.confined(plan.network(), rules, mounts, List.of()));
    }

    /** A program that runs for the first time makes its state folders, which it cannot do in the home folder itself. */
    private static void makeState(SandboxPlan plan, Path temporary, Map<String, String> environment)
            throws IOException {
        Files.createDirectories(
                temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        environment.put("TMPDIR", temporary.toString());
        Path home = Path.of(environment.getOrDefault("HOME", "/"));
        String below = real(home).toString();
        for (String path : plan.write()) {
            if (SandboxPlan.isBelow(path, below) && !path.endsWith(".json") && Files.isWritable(home)) {
                Files.createDirectories(Path.of(path));
            }
        }
    }

    private static void nameServer(Path data, Map<String, String> environment) {
        new DataFolder(data).serverFile().read().ifPresent(server -> {
            environment.put("LOOPKEEPER_SERVER", server.url());
            server.certificate().ifPresent(file -> environment.put("LOOPKEEPER_SERVER_CERTIFICATE", file));
        });
    }

    /** What is guarded must be there: its name could be taken otherwise. */
    private static void makeGuarded(SandboxPlan plan, StepSpec step) throws IOException {
        for (String guarded : plan.guard()) {
            Path path = Path.of(guarded);
            if (Files.isSymbolicLink(path)) {
                throw refused(
                        step, path + " is a symbolic link, which cannot be protected; replace it or remove protect");
            }
            if (!Files.exists(path)) {
                Path unused = path.endsWith(SandboxPlan.Git.OWN_SETTINGS)
                        ? Files.createFile(path)
                        : Files.createDirectory(path);
            }
        }
    }

    private static LaunchException refused(StepSpec step, String why) {
        return new LaunchException(
                "the sandbox of agent \"" + step.identity().agent() + "\" cannot be enforced: " + why,
                null,
                Optional.of(ErrorKind.SANDBOX));
    }

    /** The step's own temporary folder, by a name that no other process can know before. */
    private static Path temporary(StepSpec step) {
        return Path.of(System.getProperty("java.io.tmpdir")).resolve("loopkeeper-" + step.nonce());
    }

    /** Removes what the step left in its temporary folder. */
    static void clear(String nonce) throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).resolve("loopkeeper-" + nonce);
        FolderRemoval.remove(temporary);
    }

    /**
     * The plan for a command in this workspace. Writes nothing.
     *
     * @param git of the workspace
     */
    static SandboxPlan plan(
            SandboxSpec spec, CommandLine command, Path workspace, SandboxPlan.Git git, Around around, Site site)
            throws IOException {
        List<String> never = new ArrayList<>(homes());
        never.add(real(around.data()).toString());
        for (Path secret : around.secrets()) {
            never.add(real(secret).toString());
        }
        return SandboxPlan.of(
                spec,
                new SandboxPlan.Facts(
                        around.machine().rungs(),
                        command.words().get(0).strip().split("\\s", 2)[0],
                        workspace.toString(),
                        site.home(),
                        real(site.temporary()).toString(),
                        git,
                        never,
                        Mounts.matching(workspace, spec.protect()),
                        Sandbox::real));
    }

    /** Where an agent keeps its own files. */
    record Site(String home, Path temporary) {}

    /** An absolute path with its links resolved. */
    private static String real(String path) {
        try {
            return real(Path.of(path)).toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Homes of people and of root. */
    private static List<String> homes() throws IOException {
        List<String> homes = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1)) {
            String[] fields = line.split(":", -1);
            if (fields.length > 5 && fields[2].matches("\\d{1,9}")) {
                int user = Integer.parseInt(fields[2]);
                boolean person = user == 0 || (user >= FIRST_PERSON && user != UNPRIVILEGED);
                if (person && fields[5].matches("/.+")) {
                    homes.add(real(Path.of(fields[5])).toString());
                }
            }
        }
        return homes;
    }

    /** With links resolved as far as it exists: the kernel decides by what a path leads to. */
    static Path real(Path path) throws IOException {
        Path whole = path.toAbsolutePath().normalize();
        if (Files.exists(whole) || whole.getParent() == null) {
            return whole.toRealPath();
        }
        return real(whole.getParent()).resolve(whole.getFileName());
    }

    private static List<String> rules(SandboxPlan plan, Path workspace, StepFolder folder, List<String> own)
            throws IOException {
        List<String> rules = new ArrayList<>();
        List<Path> hidden = plan.hide().stream().map(Path::of).toList();
        readable(ROOT, hidden, rules);
        // A worktree is in the data folder.
        readable(
                workspace,
                hidden.stream().filter(path -> !workspace.startsWith(path)).toList(),
                rules);
        for (String path : plan.write()) {
            rules.add("w" + path);
        }
        DEVICES.forEach(device -> rules.add("f" + device));
        List.of(folder.stdout(), folder.stderr()).forEach(log -> rules.add("f" + log));
        own.forEach(file -> rules.add("r" + file));
        return rules;
    }

    /** As one argument. */
    private static String joined(List<String> lines, StepSpec step) {
        String text = String.join("\n", lines);
        if (lines.stream().anyMatch(line -> line.indexOf('\n') >= 0)) {
            throw refused(step, "a path in its rules has a line break; rename it");
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_RULES) {
            throw refused(
                    step,
                    "it has too many rules: for each file beside hidden ones, and for each that protect matches; move"
                            + " the data folder and what hide names into a folder of their own, and name folders in protect");
        }
        return text;
    }

    /** Landlock only grants: beside something hidden each file and folder is granted separately. */
    private static void readable(Path path, List<Path> hidden, List<String> rules) throws IOException {
        if (hidden.contains(path)) {
            return;
        }
        if (hidden.stream().noneMatch(below -> below.startsWith(path))) {
            rules.add("r" + path);
            return;
        }
        if (!Files.isReadable(path)) {
            return;
        }
        try (Stream<Path> children = Files.list(path)) {
            for (Path child : (Iterable<Path>) children::iterator) {
                // A rule for a link would grant what it leads to; a line break cannot be written.
                if (!Files.isSymbolicLink(child) && child.toString().indexOf('\n') < 0) {
                    readable(child, hidden, rules);
                }
            }
        }
    }
}
