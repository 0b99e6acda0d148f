package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose signal files other processes see as well. */
class SharedSignalFilesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SILENT = """
            {"name": "silent", "phases": [{"name": "only", "task": "dev"}],
             "agents": {"dev": {"signal": "dev.json", "command": "touch launched"}}}
            """;

    @TempDir
    private Path folder;

    private final List<String> released = new CopyOnWriteArrayList<>();
    private volatile Optional<String> holder = Optional.empty();
    private volatile boolean available = true;
    private Keeper keeper;

    private final SharedSignalFiles files = new SharedSignalFiles() {
        @Override
        public Future<Map<String, String>> take(String runId, long sequence, Set<String> identities) {
            return available
                    ? Future.succeededFuture(identities.stream()
                            .filter(identity -> holder.isPresent())
                            .collect(Collectors.toMap(identity -> identity, identity -> holder.get())))
                    : Future.failedFuture(new StoreUnavailableException("no answer", null));
        }

        @Override
        public Future<Void> release(String runId) {
            released.add(runId);
            return Future.succeededFuture();
        }
    };

    @BeforeEach
    void startKeeper() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data)
                .member(Membership.of(Ownership.sole(), RunRouting.HERE, Duties.sole(), files));
        keeper = new Keeper(data, folder.resolve("workspace"), options);
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    private RunAnswer start(String runId) throws IOException {
        String workspace = keeper.workspace().toString();
        JsonNode document = Json.MAPPER.readTree(SILENT);
        return Keeper.await(RunChannels.START.ask(
                keeper.vertx().eventBus(),
                new StartRun(
                        Optional.of(runId),
                        document,
                        workspace,
                        workspace,
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Requester.LOCAL,
                        Optional.empty()),
                SOON));
    }

    private RunAnswer resume(String runId) {
        return Keeper.await(
                RunChannels.RESUME.ask(keeper.vertx().eventBus(), new ResumeRun(runId, ResumeRequest.PLAIN), SOON));
    }

    private static RefusalCode code(RunAnswer answer) {
        return answer.refusal().orElseThrow().code();
    }

    private boolean isLaunched() {
        return Files.exists(keeper.workspace().resolve("launched"));
    }

    @Test
    void aRunStartsOnlyWithFilesThatNoOtherProcessUses() throws IOException {
        available = false;
        assertThat(code(start("r1"))).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        assertThat(released).as("the answer may have been lost").containsExactly("r1");
        available = true;
        holder = Optional.of("theirs");
        RunAnswer refused = start("r1");
        assertThat(code(refused)).isEqualTo(RefusalCode.SIGNAL_IN_USE);
        assertThat(refused.refusal().orElseThrow().message()).contains("run theirs");
        assertThat(isLaunched()).isFalse();

        holder = Optional.empty();
        assertThat(start("r1").refusal()).isEmpty();
        keeper.until("r1", "paused");
        assertThat(isLaunched()).isTrue();
        assertThat(released).as("an active run releases nothing").containsExactly("r1");
    }

    /** The second request found the file in use by the run of the first, which was not stored yet. */
    @Test
    void oneRequestSentTwiceAtOnceIsOneRun() throws IOException {
        String workspace = keeper.workspace().toString();
        StartRun request = new StartRun(
                Optional.empty(),
                Json.MAPPER.readTree(SILENT),
                workspace,
                workspace,
                true,
                Optional.of("key"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Requester.LOCAL,
                Optional.empty());
        List<Future<RunAnswer>> asked = Stream.generate(
                        () -> RunChannels.START.ask(keeper.vertx().eventBus(), request, SOON))
                .limit(12)
                .toList();

        List<RunAnswer> answers = asked.stream().map(Keeper::await).toList();
        assertThat(answers).allMatch(answer -> answer.refusal().isEmpty());
        assertThat(answers.stream()
                        .map(answer ->
                                answer.document().orElseThrow().path("runId").asText())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aResumedRunWaitsUntilTheFilesCanBeChecked() throws IOException {
        assertThat(start("r1").refusal()).isEmpty();
        keeper.until("r1", "paused");
        Files.delete(keeper.workspace().resolve("launched"));

        holder = Optional.of("theirs");
        assertThat(code(resume("r1"))).isEqualTo(RefusalCode.SIGNAL_IN_USE);
        available = false;
        assertThat(resume("r1").refusal()).isEmpty();
        keeper.until("r1", "queued");
        available = true;
        assertThat(isLaunched()).isFalse();
        holder = Optional.empty();
        keeper.until("r1", "paused");
        assertThat(isLaunched()).isTrue();
    }
}
