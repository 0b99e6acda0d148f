package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.data.SmallFiles;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.bus.RecordCodec;
import dev.loopkeeper.bus.RequestChannel;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LogLimit;
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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A deployed supervisor, its answers, and proof after each test that nothing was left running. */
abstract class SupervisorHarness {
    static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    final String marker = "marker-" + UUID.randomUUID();
    final List<Supervising> supervisors = new ArrayList<>();
    Path data;
    Path workspace;

    /** One runtime. */
    static final class Supervising {
        final Vertx vertx = Vertx.vertx();
        final List<StepExited> exits = new CopyOnWriteArrayList<>();
        private final String deployment;

        Supervising(Path data) {
            this(SupervisorOptions.of(data));
        }

        Supervising(SupervisorOptions options) {
            this(options, SmallFiles.REAL, text -> text.replaceAll("[0-9]+", "#"));
        }

        Supervising(SupervisorOptions options, SmallFiles files, UnaryOperator<String> normalise) {
            RecordCodec.register(vertx);
            var unused = ProcessChannels.EXITED.listen(vertx.eventBus(), exits::add);
            deployment = done(vertx.deployVerticle(
                    new ProcessSupervisorVerticle(options, Supervising::render, normalise, files)));
        }

        private static String render(String template, Map<String, String> values) {
            String text = template;
            for (var value : values.entrySet()) {
                text = text.replace("{{" + value.getKey() + "}}", value.getValue());
            }
            return text;
        }

        <Q, A> A ask(RequestChannel<Q, A> channel, Q question) {
            return done(asking(channel, question));
        }

        <Q, A> Future<A> asking(RequestChannel<Q, A> channel, Q question) {
            return channel.ask(vertx.eventBus(), question, SOON);
        }

        @CanIgnoreReturnValue
        StepLaunched launch(StepSpec step) {
            return ask(ProcessChannels.LAUNCH, new LaunchStep(step, false));
        }

        @CanIgnoreReturnValue
        StepLaunched recover(StepSpec step) {
            return ask(ProcessChannels.LAUNCH, new LaunchStep(step, true));
        }

        @CanIgnoreReturnValue
        KillReceipt stop(StepSpec step) {
            return ask(ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED));
        }

        @CanIgnoreReturnValue
        StepExited exitOf(StepSpec step) {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(SOON)
                    .until(() -> exits.stream().anyMatch(exit -> exit.stepId().equals(step.stepId())));
            return exits.stream()
                    .filter(exit -> exit.stepId().equals(step.stepId()))
                    .findFirst()
                    .orElseThrow();
        }

        void shutDown() {
            done(vertx.undeploy(deployment));
            done(vertx.close());
        }
    }

    @CanIgnoreReturnValue
    static <T> T done(Future<T> future) {
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

    Supervising supervisor() {
        Supervising supervising = new Supervising(data);
        supervisors.add(supervising);
        return supervising;
    }

    Supervising supervisor(LogLimit limit) {
        Supervising supervising = new Supervising(SupervisorOptions.of(data).logLimit(limit));
        supervisors.add(supervising);
        return supervising;
    }

    Steps step() {
        return new Steps(workspace, marker);
    }

    StepFolder folderOf(StepSpec step) {
        return StepFolder.of(data, step.runId(), step.stepId(), SmallFiles.REAL);
    }

    String stdout(StepSpec step) throws IOException {
        return Files.readString(folderOf(step).stdout());
    }

    /** Waits for a line that the agent writes itself, e.g. its pid. */
    @CanIgnoreReturnValue
    String written(String file) {
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

    static boolean alive(long pid) {
        return new ProcFs().stat(pid).filter(ProcessStat::living).isPresent();
    }

    /** Every living process with this test's marker in its environment, found without the code under test. */
    List<Long> marked() throws IOException {
        return living(this::carriesMarker);
    }

    /** The same, and whoever works in its folder: that shows also who cleared its environment. */
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
