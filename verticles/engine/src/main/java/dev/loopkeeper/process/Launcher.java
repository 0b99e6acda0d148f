package dev.loopkeeper.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.ProcessChannels.ConfinedCommand;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.PromptTemplate;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.manifest.ShellText;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.submit.ProgramLookup;
import dev.loopkeeper.work.OwnEnvironment;
import dev.loopkeeper.work.OwnOpenFiles;
import dev.loopkeeper.work.OwnUmask;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Starts the launcher of a step. Blocking, thread-safe. */
final class Launcher {
    private static final Path NOTHING = Path.of("/dev/null");
    private static final LauncherChoice OF_NAMESPACES = LauncherChoice.script("for namespaces");
    private static final LauncherChoice OF_UMASKS = LauncherChoice.script("for another umask");
    /** The script gives the agent this umask, and removes the variable. */
    private static final String UMASK = "LOOPKEEPER_UMASK";

    private final Path data;
    private final InheritedEnvironment inherited;
    private final LauncherScript script;
    private final SignalProgram signals;
    private final BootNotes boots;
    private final WorkerExecutor workers;
    private final ClientEnvironments clients;
    private final BooleanSupplier closeServer;
    private final Supplier<List<Path>> secrets;
    private final Starting starting;
    private Optional<LauncherChoice> chosen = Optional.empty();
    private Optional<SandboxMachine> machine = Optional.empty();

    /** Starts the process of a launcher. */
    interface Starting {
        Process start(ProcessBuilder program) throws IOException;
    }

    Launcher(
            SupervisorOptions options,
            WorkerExecutor workers,
            ClientEnvironments clients,
            BooleanSupplier closeServer,
            Supplier<List<Path>> secrets,
            Starting starting) {
        this.data = options.data();
        this.inherited = options.inherited();
        this.script = new LauncherScript(data);
        this.signals = new SignalProgram(data);
        this.boots = new BootNotes(data);
        this.workers = workers;
        this.clients = clients;
        this.closeServer = closeServer;
        this.secrets = secrets;
        this.starting = starting;
    }

    /**
     * Prepares the step's folder and starts its launcher. Throws {@link LaunchException}, or {@link ResourceExhaustedException},
     * before anything runs.
     *
     * @param first whether its launch was never requested
     * @return empty where the step has a launcher already, which its notes name
     */
    Optional<StartedLauncher> start(StepSpec step, StepOrder order, StepFolder folder, boolean first) {
        Path directory = directory(step);
        try {
            if (!open(order, folder, first)) {
                return Optional.empty();
            }
            folder.noteContext(step.context());
            Path input = writePrompt(step, folder);
            Optional<ClientEnvironment> client = clients.of(step.runId());
            Optional<String> umask = client.flatMap(ClientEnvironment::umask)
                    .filter(mask -> !OwnUmask.read().equals(Optional.of(mask)));
            ProcessBuilder builder = new ProcessBuilder();
            inherit(builder.environment(), client);
            StepEnvironment.layOver(builder.environment(), step, folder.context(), signals.install());
            builder.environment().put(StepToken.VARIABLE, StepToken.of(data, step.runId(), step.stepId()));
            umask.ifPresent(mask -> builder.environment().put(UMASK, mask));
            refuseEmpty(step, directory, builder.environment());
            List<String> sandbox = sandbox(step, directory, folder, builder.environment());
            builder.command(words(choice(step, umask.isPresent()), step, order, folder, input, sandbox));
            OwnOpenFiles.giveBack(builder.environment());
            boolean dies = step.agentSpec().loss().onRuntimeDeath() == OnRuntimeDeath.KILL;
            builder.directory(directory.toFile())
                    // The launcher reads nothing from it: it notices the runtime's death by its end.
                    .redirectInput(dies ? Redirect.PIPE : Redirect.from(NOTHING.toFile()))
                    .redirectOutput(Redirect.PIPE)
                    .redirectError(Redirect.DISCARD);
            return Optional.of(new StartedLauncher(starting.start(builder), workers));
        } catch (IOException refused) {
            String what = "cannot launch agent \"" + step.identity().agent() + "\": ";
            String said = refused instanceof AccessDeniedException
                    ? FolderObstacle.of(folder.path()).orElse(refused.getMessage())
                    : refused.getMessage();
            throw refusal(what, refused, said, Optional.empty());
        } catch (OutOfMemoryError noThread) {
            return withoutThread(step, folder, noThread);
        }
    }

    /** Java starts a program first and then the thread that waits for its end. Only the claim shows whether it runs. */
    private static Optional<StartedLauncher> withoutThread(StepSpec step, StepFolder folder, OutOfMemoryError cause) {
        String what = "cannot launch agent \"" + step.identity().agent() + "\": ";
        try {
            if (!folder.claimForStop()) {
                return Optional.empty();
            }
        } catch (IOException unwritable) {
            // No launcher can write its claim there either.
            cause.addSuppressed(unwritable);
        }
        throw refusal(what, cause, cause.getMessage(), Optional.empty());
    }

    private static RuntimeException refusal(String what, Throwable cause, String said, Optional<ErrorKind> errorKind) {
        return ResourceExhaustedException.in(cause)
                .<RuntimeException>map(full -> new ResourceExhaustedException(what + full.getMessage(), cause))
                .orElseGet(() -> new LaunchException(what + said, cause, errorKind));
    }

    private boolean open(StepOrder order, StepFolder folder, boolean first) throws IOException {
        boolean numbered = BootNote.number(order.marks().nonce()).isPresent();
        if (numbered) {
            folder.make();
            boots.note(order);
        }
        boolean open = first ? folder.openFirst(order) : folder.open(order);
        if (open && !numbered) {
            folder.sync();
        }
        return open;
    }

    /** The marks of an outer step are those of this process also where another process submitted the run. */
    private void inherit(Map<String, String> environment, Optional<ClientEnvironment> client) {
        OwnEnvironment.giveBack(environment);
        client.ifPresent(given -> {
            environment.keySet().removeIf(name -> !name.startsWith("LOOPKEEPER_"));
            environment.putAll(given.variables());
        });
        inherited.restrict(environment);
    }

    private LauncherChoice choice(StepSpec step, boolean otherUmask) {
        if (step.agentSpec().loss().containment() != Containment.SESSION) {
            return OF_NAMESPACES;
        }
        return otherUmask ? OF_UMASKS : choice();
    }

    private synchronized LauncherChoice choice() {
        if (chosen.isEmpty()) {
            chosen = Optional.of(LauncherChoice.of(data));
        }
        return chosen.get();
    }

    private synchronized SandboxMachine machine() throws IOException {
        if (machine.isEmpty()) {
            machine = Optional.of(SandboxMachine.of(choice()));
        }
        return machine.get();
    }

    /** Parses the line in which the launcher names its agent; empty when it ended before it had one. */
    static Optional<Identity> agent(String line) {
        try {
            return line.isEmpty() ? Optional.empty() : Optional.of(Json.MAPPER.readValue(line, Identity.class));
        } catch (JsonProcessingException broken) {
            return Optional.empty();
        }
    }

    private static Path directory(StepSpec step) {
        Path workspace = Path.of(step.workspace());
        Path directory =
                step.agentSpec().program().cwd().map(workspace::resolve).orElse(workspace);
        if (!Files.isDirectory(directory)) {
            throw new LaunchException("working directory " + directory + " of agent \""
                    + step.identity().agent() + "\" is not a folder; create it or correct workspace or cwd");
        }
        return directory;
    }

    /** A shell executes an empty file as a script without commands, which succeeds. */
    private static void refuseEmpty(StepSpec step, Path directory, Map<String, String> environment) throws IOException {
        CommandLine command = step.agentSpec().program().command();
        String word = command.words().get(0);
        ProgramLookup lookup = ProgramLookup.in(Path.of(step.baseDir()), directory, environment);
        Optional<Path> program =
                command.shell() ? ShellText.plainProgram(word).flatMap(lookup::shellProgram) : lookup.program(word);
        if (program.isPresent() && Files.size(program.get()) == 0) {
            throw new LaunchException("program " + program.get() + " of agent \""
                    + step.identity().agent() + "\" is an empty file; write the program or correct command");
        }
    }

    private Path writePrompt(StepSpec step, StepFolder folder) throws IOException {
        if (step.agentSpec().program().prompt().isEmpty()) {
            return NOTHING;
        }
        Path template = Path.of(step.baseDir())
                .resolve(step.agentSpec().program().prompt().get());
        String text;
        try {
            LockedFiles.refuse(template);
            String written = Files.readString(template);
            Map<String, String> values = StepEnvironment.values(step, folder.context());
            String rendered = new PromptTemplate(written).fill(values);
            boolean appends = step.agentSpec().continuation().context() == ContextMode.APPEND
                    && !TemplateNames.namesEarlierResults(written);
            text = appends ? ContextText.appended(rendered, values.get(StepEnvironment.CONTEXT)) : rendered;
        } catch (IOException | IllegalArgumentException unusable) {
            String what =
                    "prompt " + template + " of agent \"" + step.identity().agent() + "\" cannot be used: ";
            throw refusal(what, unusable, flawOf(unusable), Optional.of(ErrorKind.BAD_PROMPT));
        }
        OwnerOnly.write(folder.prompt(), text);
        return folder.prompt();
    }

    /** Describes the failure, since most messages of Java have only the path or a number. */
    private static String flawOf(Exception unusable) {
        if (unusable instanceof NoSuchFileException) {
            return "the file no longer exists; restore it and resume the run";
        }
        if (unusable instanceof AccessDeniedException) {
            return "the file is not readable; correct its permissions and resume the run";
        }
        if (unusable instanceof CharacterCodingException) {
            return "the file is not UTF-8 text; correct it and resume the run";
        }
        return unusable.getMessage();
    }

    /** The words that enforce it, and the program exists: a missing one would look like a failure of the agent. */
    private List<String> sandbox(StepSpec step, Path directory, StepFolder folder, Map<String, String> environment)
            throws IOException {
        Optional<SandboxSpec> spec = step.agentSpec().loss().sandbox();
        if (spec.isEmpty()) {
            return List.of();
        }
        CommandLine command = step.agentSpec().program().command();
        ProgramLookup lookup = ProgramLookup.in(Path.of(step.baseDir()), directory, environment);
        if (!command.shell() && lookup.program(command.words().get(0)).isEmpty()) {
            throw new LaunchException("program \"" + command.words().get(0) + "\" of agent \""
                    + step.identity().agent() + "\" was not found; install it, put it on the PATH or correct command");
        }
        Sandbox sandbox = Sandbox.of(spec.get(), step, around(), folder, environment);
        folder.noteSandbox(sandbox.plan().level());
        return sandbox.words();
    }

    private Sandbox.Around around() throws IOException {
        return new Sandbox.Around(data, machine(), closeServer, secrets.get());
    }

    /** The sandbox of a command beside the step. Blocking. */
    ConfinedCommand confine(StepSpec step, SandboxSpec spec) throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(step.env());
        environment.put("LOOPKEEPER_SIGNAL", signals.install().toString());
        try {
            Sandbox sandbox = Sandbox.of(
                    spec,
                    step,
                    around(),
                    StepFolder.of(data, step.runId(), step.stepId(), SmallFiles.REAL),
                    environment);
            List<String> words =
                    new ArrayList<>(List.of("env", "TMPDIR=" + environment.getOrDefault("TMPDIR", "/tmp")));
            words.addAll(sandbox.words());
            return new ConfinedCommand(words, Optional.empty());
        } catch (LaunchException refused) {
            return new ConfinedCommand(List.of(), Optional.of(refused.getMessage()));
        }
    }

    private List<String> words(
            LauncherChoice choice, StepSpec step, StepOrder order, StepFolder folder, Path input, List<String> sandbox)
            throws IOException {
        List<String> words = new ArrayList<>();
        if (choice.program().isPresent()) {
            words.add(choice.program().get().install().toString());
        } else {
            words.addAll(script.words());
        }
        words.add("record");
        words.add(folder.path().toString());
        words.add(StepFiles.safe(step.nonce()));
        words.add(data.toString());
        words.add(input.toString());
        words.add(step.agentSpec().loss().onRuntimeDeath().wire());
        words.add(step.agentSpec().limits().stop().signal());
        words.add(Long.toString(step.agentSpec().limits().stop().grace().toMillis()));
        // For the script's own programs.
        words.add(choice.program().isPresent() ? "" : LauncherScript.toolPath());
        words.add(order.enclosure()
                .filter(Cgroup::make)
                .map(group -> group.path().toString())
                .orElse(""));
        words.addAll(entry(step.agentSpec().loss().containment()));
        words.addAll(step.guard());
        words.addAll(sandbox);
        words.addAll(ProgramLookup.words(
                Path.of(step.baseDir()), step.agentSpec().program().command().argv()));
        return words;
    }

    /** Two words: what enters the namespace, and whether /proc is mounted in it. */
    private static List<String> entry(Containment containment) throws IOException {
        if (containment == Containment.SESSION) {
            return List.of("", "no");
        }
        NamespaceEntry entry = NamespaceEntry.find();
        return List.of(String.join(" ", entry.words()), entry.ownProc() ? "yes" : "no");
    }
}
