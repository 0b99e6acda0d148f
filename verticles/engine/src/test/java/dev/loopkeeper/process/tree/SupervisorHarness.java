package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SandboxMachine;
import dev.loopkeeper.process.StepFolder;
import dev.loopkeeper.process.Steps;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LogLimit;
import dev.loopkeeper.step.SandboxRungs;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A deployed supervisor, its answers, and proof after each test that nothing was left running. */
public abstract class SupervisorHarness {
    public static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    public Path folder;

    final String marker = "marker-" + UUID.randomUUID();
    public final List<Supervising> supervisors = new ArrayList<>();
    public Path data;
    public Path workspace;

    /** One runtime. */
    public static final class Supervising {
        public final Vertx vertx = Vertx.vertx();
        public final List<StepExited> exits = new CopyOnWriteArrayList<>();
        private final String deployment;

        Supervising(Path data) {
            this(patient(SupervisorOptions.of(data)));
        }

        Supervising(SupervisorOptions options) {
            this(options, SmallFiles.REAL, text -> text.replaceAll("[0-9]+", "#"));
        }

        public Supervising(SupervisorOptions options, SmallFiles files, UnaryOperator<String> normalise) {
            RecordCodec.register(vertx);
            var unused = ProcessChannels.EXITED.listen(vertx.eventBus(), exits::add);
            deployment = done(vertx.deployVerticle(new ProcessSupervisorVerticle(options, normalise, files)));
        }

        /** A process that was killed may be slow to end on a busy machine. */
        private static SupervisorOptions patient(SupervisorOptions usual) {
            return new SupervisorOptions(
                    usual.data(),
                    SOON,
                    usual.recordPatience(),
                    usual.maxPoll(),
                    usual.workers(),
                    usual.logLimit(),
                    usual.inherited());
        }

        public <Q, A> A ask(RequestChannel<Q, A> channel, Q question) {
            return done(asking(channel, question));
        }

        /** Serves what a scheduler would serve. */
        public <Q, A> void serve(RequestChannel<Q, A> channel, Function<Q, Future<A>> work) {
            done(channel.serve(vertx.eventBus(), work));
        }

        public <Q, A> Future<A> asking(RequestChannel<Q, A> channel, Q question) {
            return channel.ask(vertx.eventBus(), question, SOON);
        }

        @CanIgnoreReturnValue
        public StepLaunched launch(StepSpec step) {
            return ask(ProcessChannels.LAUNCH, new LaunchStep(step, false));
        }

        @CanIgnoreReturnValue
        public StepLaunched recover(StepSpec step) {
            return ask(ProcessChannels.LAUNCH, new LaunchStep(step, true));
        }

        @CanIgnoreReturnValue
        public KillReceipt stop(StepSpec step) {
            return ask(ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED));
        }

        @CanIgnoreReturnValue
        public StepExited exitOf(StepSpec step) {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(SOON)
                    .until(() -> exits.stream().anyMatch(exit -> exit.stepId().equals(step.stepId())));
            return exits.stream()
                    .filter(exit -> exit.stepId().equals(step.stepId()))
                    .findFirst()
                    .orElseThrow();
        }

        public void shutDown() {
            done(vertx.undeploy(deployment));
            done(vertx.close());
        }
    }

    @CanIgnoreReturnValue
    public static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @BeforeEach
    void openFolders() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        workspace = Files.createDirectory(folder.resolve("workspace"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        try {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(left()).isEmpty());
            assertThat(supervisors)
                    .flatExtracting(runtime -> runtime.exits)
                    .allSatisfy(exit -> assertThat(exit.swept().outcome()).isEqualTo(KillReceipt.Outcome.gone));
        } finally {
            for (long pid : left()) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            supervisors.forEach(Supervising::shutDown);
        }
    }

    public Supervising supervisor() {
        Supervising supervising = new Supervising(data);
        supervisors.add(supervising);
        return supervising;
    }

    public Supervising supervisor(LogLimit limit) {
        Supervising supervising = new Supervising(SupervisorOptions.of(data).logLimit(limit));
        supervisors.add(supervising);
        return supervising;
    }

    public Steps step() {
        return new Steps(workspace, marker).in(sandbox());
    }

    /** The sandbox of each step; none unless a suite says otherwise. */
    protected Optional<SandboxSpec> sandbox() {
        return Optional.empty();
    }

    /** The usual sandbox; skips the test where the machine cannot enforce it. */
    protected final Optional<SandboxSpec> usualSandbox() {
        try {
            SandboxRungs rungs = SandboxMachine.near(folder).rungs();
            assumeTrue(rungs.lacking(SandboxSpec.WORKSPACE).isEmpty(), rungs::name);
            return Optional.of(SandboxSpec.WORKSPACE);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    public StepFolder folderOf(StepSpec step) {
        return StepFolder.of(data, step.runId(), step.stepId(), SmallFiles.REAL);
    }

    public String stdout(StepSpec step) throws IOException {
        return Files.readString(folderOf(step).stdout());
    }

    /** Waits for a line that the agent writes itself, e.g. its pid. */
    @CanIgnoreReturnValue
    public String written(String file) {
        Path path = workspace.resolve(file);
        await().pollInterval(Duration.ofMillis(5))
                .atMost(SOON)
                .until(() -> Files.exists(path) && Files.readString(path).endsWith("\n"));
        try {
            return Files.readString(path).strip();
        } catch (IOException gone) {
            throw new AssertionError(gone);
        }
    }

    public static boolean alive(long pid) {
        return new ProcFs().stat(pid).filter(ProcessStat::living).isPresent();
    }

    /** Every living process with this test's marker in its environment, found without the code under test. */
    public List<Long> marked() throws IOException {
        return living(this::carriesMarker);
    }

    /** The same, and every process that works in its folder: also one that cleared its environment. */
    private List<Long> left() throws IOException {
        return living(process -> carriesMarker(process) || worksHere(process));
    }

    private boolean worksHere(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(workspace.toRealPath())
                    && !Files.readString(process.resolve("stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Long> living(Predicate<Path> wanted) throws IOException {
        List<Long> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            for (Path entry : entries.filter(
                            path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                if (wanted.test(entry)) {
                    found.add(Long.parseLong(entry.getFileName().toString()));
                }
            }
        }
        return found;
    }

    private boolean carriesMarker(Path process) {
        try {
            String environment = new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
            String stat = Files.readString(process.resolve("stat"));
            return environment.contains(marker) && !stat.contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }
}
