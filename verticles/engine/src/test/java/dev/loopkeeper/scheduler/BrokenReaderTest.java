package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.AgentReport;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.signal.SignalWatcherVerticle;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A reader of ours that breaks, at each place where it is asked: the run was frozen, its step open for ever. */
@Isolated("reads the log of the process, or changes what it has once")
class BrokenReaderTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String BROKEN = "a reader broke";

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private OwnerLock lock;

    /** Reads well until it is requested one thing. */
    private static class Reading implements AgentOutputReader {
        private final AgentOutputReader well = AgentOutput.reader(OutputDialect.CLAUDE_CODE, ErrorRules.builtIn());

        @Override
        public void stdout(byte[] chunk, int offset, int length) {
            well.stdout(chunk, offset, length);
        }

        @Override
        public void stderr(byte[] chunk, int offset, int length) {
            well.stderr(chunk, offset, length);
        }

        @Override
        public Usage usageSoFar() {
            return well.usageSoFar();
        }

        @Override
        public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
            return well.finish(exit, now, zone);
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger("dev.loopkeeper")).addAppender(log);
    }

    @AfterEach
    void close() throws Exception {
        ((Logger) LoggerFactory.getLogger("dev.loopkeeper")).detachAppender(log);
        await(vertx.close());
        lock.close();
    }

    @Test
    void aReaderThatCannotBeMadeEndsTheRun() throws Exception {
        start(step -> {
            throw new IllegalStateException(BROKEN);
        });
        endsAsBroken("sleep 300");
    }

    @Test
    void aReaderThatBreaksWhileTheAgentWritesEndsTheRunAndTheAgent() throws Exception {
        start(step -> new Reading() {
            @Override
            public void stdout(byte[] chunk, int offset, int length) {
                throw new IllegalStateException(BROKEN);
            }
        });
        endsAsBroken("echo $$ >pid; echo '{}'; exec sleep 300");
        long pid =
                Long.parseLong(Files.readString(folder.resolve("workspace/pid")).strip());
        Awaitility.await().atMost(SOON).until(() -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void aReaderThatFailsAtTheEndEndsTheRunAndTheOrphans() throws Exception {
        start(step -> new Reading() {
            @Override
            public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
                throw new IllegalStateException(BROKEN);
            }
        });
        endsAsBroken("(setsid sleep 300 & echo $! >pid)");
        long pid =
                Long.parseLong(Files.readString(folder.resolve("workspace/pid")).strip());
        Awaitility.await().atMost(SOON).until(() -> ProcessHandle.of(pid).isEmpty());
    }

    private void start(Function<StepSpec, AgentOutputReader> readers) throws Exception {
        Path data = folder.resolve("data");
        RecordCodec.register(vertx);
        lock = new DataFolder(data).prepare().own();
        EventStore store = await(SqliteEventStore.open(vertx, data));
        Object deployed = await(vertx.deployVerticle(new EventStoreVerticle(store))
                .compose(next ->
                        vertx.deployVerticle(new ProcessSupervisorVerticle(SupervisorOptions.of(data), text -> text)))
                .compose(next -> vertx.deployVerticle(new SignalWatcherVerticle(data)))
                .compose(next -> vertx.deployVerticle(new LoopSchedulerVerticle(
                        store,
                        new SchedulerOptions(data, 0),
                        Ownership.sole(),
                        RunRouting.HERE,
                        SharedSignalFiles.none(),
                        new PolicyKeeper(vertx, store),
                        readers))));
        assertThat(deployed).isNotNull();
    }

    private void endsAsBroken(String command) throws Exception {
        Path workspace = Files.createDirectories(folder.resolve("workspace"));
        JsonNode document = Json.MAPPER.readTree("""
                {"name": "one",
                 "agents": {"a": {"command": ["sh", "-c", "%s"], "output": "claude-code", "stop": {"grace": "200ms"}}},
                 "phases": [{"name": "only", "task": "a"}]}
                """.formatted(command));
        StartRun start = new StartRun(
                Optional.of("r1"),
                document,
                workspace.toString(),
                workspace.toString(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Requester.LOCAL,
                Optional.empty());
        RunAnswer started = await(RunChannels.START.ask(vertx.eventBus(), start, SOON));
        assertThat(started.refusal()).isEmpty();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> run().path("status").asText().equals("failed"));

        assertThat(run().at("/termination/subtype").asText()).isEqualTo("error_infrastructure");
        assertThat(run().at("/termination/summary").asText()).contains(BROKEN);
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(List.copyOf(log.list))
                        .anySatisfy(event -> assertThat(event.getThrowableProxy())
                                .isNotNull()
                                .satisfies(thrown ->
                                        assertThat(thrown.getMessage()).contains(BROKEN))
                                .satisfies(thrown -> assertThat(thrown.getStackTraceElementProxyArray())
                                        .isNotEmpty())));
    }

    private JsonNode run() throws IOException {
        return await(RunChannels.GET.ask(vertx.eventBus(), new GetRun("r1"), SOON))
                .document()
                .orElseThrow();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("no answer within " + SOON, late);
        }
    }
}
