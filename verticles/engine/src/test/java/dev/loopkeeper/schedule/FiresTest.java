package dev.loopkeeper.schedule;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.FireRules;
import dev.loopkeeper.policy.FiredAt;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.PolicyVerticle;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.store.StoreSamples;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.submit.AllowedFolders;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fires at a clock that the test sets. */
class FiresTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Instant TWO = Instant.parse("2026-06-02T02:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path project;

    private final Vertx vertx = Vertx.vertx();
    private final HomeContext home = new HomeContext(vertx.getOrCreateContext());
    private final MemoryStore store = new MemoryStore(vertx);
    private final PolicyKeeper policies = new PolicyKeeper(vertx, store);
    private final List<StartRun> starts = new CopyOnWriteArrayList<>();
    private final List<StopRun> stops = new CopyOnWriteArrayList<>();
    private volatile Instant now = TWO.minusSeconds(60);
    private volatile boolean answersAreLost;
    private AllowedFolders allowed = AllowedFolders.ALL;
    private Fires fires;

    @BeforeEach
    void begin() throws IOException {
        manifest("name: demo\nagents:\n  dev: {command: [\"true\"]}\nphases:\n  - {name: one, task: dev}\n");
        await(vertx.deployVerticle(new PolicyVerticle(policies, false)));
        await(RunChannels.START.serve(vertx.eventBus(), this::start));
        await(RunChannels.STOP.serve(vertx.eventBus(), asked -> {
            stops.add(asked);
            return Future.succeededFuture(RunAnswer.of(Json.MAPPER.createObjectNode()));
        }));
        fires = process(Optional.empty(), true);
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void manifest(String text) throws IOException {
        Files.writeString(project.resolve("m.yaml"), text);
    }

    private Future<RunAnswer> start(StartRun command) {
        starts.add(command);
        String runId = "run-" + starts.size();
        return store.append(status(
                        StoreSamples.withKey(
                                StoreSamples.append(runId, 0, 1),
                                command.idempotencyKey().orElseThrow()),
                        "running"))
                .compose(created -> answersAreLost
                        ? Future.failedFuture("no answer")
                        : Future.succeededFuture(
                                RunAnswer.created(Json.MAPPER.createObjectNode().put("runId", runId))));
    }

    private static AppendEvents status(AppendEvents append, String status) {
        JsonNode view = Json.MAPPER
                .createObjectNode()
                .put("runId", append.runId())
                .put("status", status)
                .put("sequence", 1)
                .set("schedule", Json.MAPPER.createObjectNode().put("name", "nightly"));
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                append.events(),
                new RunRow(append.runId(), "demo", status, append.row().createdAt(), view),
                append.snapshot(),
                append.idempotencyKey());
    }

    private void ended(String runId) {
        await(store.append(status(StoreSamples.append(runId, 1, 1), "stopped")));
    }

    private static Ownership ownership(Optional<String> node) {
        return new Ownership() {
            @Override
            public long epoch(String runId) {
                return 1;
            }

            @Override
            public boolean mayAct() {
                return true;
            }

            @Override
            public Optional<String> node() {
                return node;
            }
        };
    }

    private Fires process(Optional<String> node, boolean duty) {
        Ownership ownership = ownership(node);
        SharedSignalFiles files = new SharedSignalFiles() {
            @Override
            public Future<Map<String, String>> take(String runId, long sequence, Set<String> identities) {
                return Future.succeededFuture(Map.of());
            }

            @Override
            public Future<Void> release(String runId) {
                return Future.succeededFuture();
            }

            @Override
            public boolean isShared(Path file) {
                return !file.startsWith(project.resolve("own"));
            }
        };
        Submissions submissions = Submissions.on(
                vertx, vertx.createSharedWorkerExecutor("submissions", 2), Map.of("PATH", "/usr/bin:/bin"));
        Fires made = new Fires(
                store,
                policies,
                ownership,
                files,
                new FireRuns(vertx.eventBus(), store, submissions, allowed),
                () -> now);
        made.share(duty);
        return made;
    }

    private void apply(String more) {
        String text =
                "schedules: [{name: nightly, cron: '0 2 * * *', manifest: " + project.resolve("m.yaml") + more + "}]";
        applyText(text);
    }

    private void applyText(String text) {
        JsonNode document = ((PolicyReading.Valid) PolicyReader.read(text)).document();
        await(StoreChannels.PUT_POLICY.ask(
                vertx.eventBus(), new PutPolicy(document, OptionalLong.empty(), "test"), SOON));
        look();
    }

    private void look() {
        look(fires);
    }

    private void look(Fires process) {
        await(home.call(() -> {
            process.look();
            return process.settled();
        }));
        await(home.call(process::settled));
    }

    @CanIgnoreReturnValue
    private List<Fire> at(Instant time) {
        now = time;
        look();
        return fires();
    }

    private List<Fire> fires() {
        return await(store.fires("nightly", 50));
    }

    @Test
    void aScheduleFiresOnceAtItsTime() {
        apply("");
        at(TWO.minusMillis(1));
        assertThat(starts).isEmpty();

        at(TWO.plusMillis(300));
        at(TWO.plusSeconds(2));
        at(TWO.plusSeconds(60));

        assertThat(starts).singleElement().satisfies(start -> {
            assertThat(start.idempotencyKey()).contains("schedule/nightly/2026-06-02T02:00:00Z");
            assertThat(start.schedule()).contains(new FiredAt("nightly", TWO));
        });
        assertThat(fires()).extracting(Fire::runId).containsExactly(Optional.of("run-1"));
    }

    @Test
    void aClockThatIsSetBackFiresNothingTwice() {
        apply("");
        at(TWO);
        at(TWO.minusSeconds(7200));
        fires = process(Optional.empty(), true);
        at(TWO.minusSeconds(3600));
        at(TWO.plusSeconds(1));

        assertThat(starts).hasSize(1);
    }

    @Test
    void aFireWhoseStartWasNotAnsweredIsOneRun() {
        apply("");
        answersAreLost = true;
        at(TWO);
        assertThat(fires()).extracting(Fire::outcome).containsExactly(Outcome.DUE);

        answersAreLost = false;
        fires = process(Optional.empty(), true);
        at(TWO.plusSeconds(30));

        assertThat(starts).hasSize(1);
        assertThat(fires()).extracting(Fire::runId).containsExactly(Optional.of("run-1"));
    }

    @Test
    void aFireWhileNoServerRanIsRecordedAsMissed() {
        apply("");
        at(TWO.minusSeconds(1));
        now = TWO.plus(DAY).plusSeconds(1);
        fires = process(Optional.empty(), true);
        look();

        assertThat(starts).isEmpty();
        assertThat(fires()).extracting(Fire::outcome).containsExactly(Outcome.MISSED, Outcome.MISSED);
    }

    @Test
    void theNewestMissedFireIsMadeUpFor() {
        apply(", missed: once");
        now = TWO.plus(DAY).plusSeconds(3600);
        fires = process(Optional.empty(), true);
        look();

        assertThat(fires()).extracting(Fire::outcome).containsExactly(Outcome.STARTED, Outcome.MISSED);
        assertThat(starts).hasSize(1);
    }

    @Test
    void timeBeforeAScheduleWasAppliedAgainIsNotMissed() {
        apply("");
        applyText("{}");
        now = TWO.plusSeconds(60);
        apply("");

        assertThat(fires()).isEmpty();
        assertThat(at(TWO.plus(DAY))).extracting(Fire::outcome).containsExactly(Outcome.STARTED);
    }

    @Test
    void aFireIsSkippedWhileTheRunHasNotEnded() {
        apply("");
        at(TWO);
        at(TWO.plus(DAY));

        assertThat(starts).hasSize(1);
        assertThat(fires().get(0).message()).contains("run run-1 has not ended");
        assertThat(fires().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
    }

    @Test
    void aRunThatHasNotEndedSkipsEachLaterFireHoweverMany() {
        apply("");
        at(TWO);
        IntStream.rangeClosed(1, 60).forEach(day -> at(TWO.plus(DAY.multipliedBy(day))));

        assertThat(starts).hasSize(1);
        assertThat(fires()).hasSize(50).extracting(Fire::outcome).containsOnly(Outcome.SKIPPED);
    }

    @Test
    void theNewestFireIsQueuedAlone() {
        apply(", overlap: queue");
        at(TWO);
        at(TWO.plus(DAY));
        at(TWO.plus(DAY.multipliedBy(2)));

        assertThat(fires()).extracting(Fire::outcome).containsExactly(Outcome.QUEUED, Outcome.SKIPPED, Outcome.STARTED);

        ended("run-1");
        look();
        assertThat(fires().get(0).runId()).contains("run-2");
    }

    @Test
    void aFireReplacesTheOpenRun() {
        apply(", overlap: replace");
        at(TWO);
        at(TWO.plus(DAY));
        look();

        assertThat(stops).singleElement().satisfies(stop -> {
            assertThat(stop.runId()).isEqualTo("run-1");
            assertThat(stop.by()).isEqualTo("schedule nightly");
        });
        assertThat(starts).hasSize(1);

        ended("run-1");
        look();
        assertThat(fires().get(0).runId()).contains("run-2");
    }

    @Test
    void anInvalidManifestIsAFailedFireUntilALaterOneWorks() throws IOException {
        String valid = Files.readString(project.resolve("m.yaml"));
        manifest("name: demo\nphase: []\n");
        apply("");
        at(TWO);

        assertThat(starts).isEmpty();
        assertThat(FireRules.attention(fires()).orElseThrow())
                .contains("m.yaml:2")
                .contains("did you mean phases?");

        manifest(valid);
        at(TWO.plus(DAY));
        assertThat(FireRules.attention(fires())).isEmpty();
        assertThat(starts).hasSize(1);
    }

    @Test
    void aMissingManifestIsAFailedFire() throws IOException {
        List<Fire> published = new CopyOnWriteArrayList<>();
        await(ScheduleChannels.FAILED.listen(vertx.eventBus(), published::add).completion());
        Files.delete(project.resolve("m.yaml"));
        apply("");

        List<Fire> recorded = at(TWO);

        assertThat(recorded).extracting(Fire::outcome).containsExactly(Outcome.FAILED);
        Awaitility.await().untilAsserted(() -> assertThat(published).isEqualTo(recorded));
    }

    @Test
    void aRunInAWorkspaceThatIsNotAllowedIsAFailedFire() throws IOException {
        Path permitted = Files.createDirectories(project.resolve("permitted"));
        allowed = AllowedFolders.of(List.of(permitted));
        fires = process(Optional.empty(), true);
        apply("");
        at(TWO);

        assertThat(starts).isEmpty();
        assertThat(FireRules.attention(fires()).orElseThrow())
                .contains("the workspace " + project, "is not allowed; name a folder in " + permitted);

        apply(", workspace: " + permitted);
        at(TWO.plus(DAY));
        assertThat(starts).hasSize(1);
    }

    @Test
    void aFireWhoseScheduleIsGoneIsSkipped() {
        apply(", overlap: queue");
        at(TWO);
        at(TWO.plus(DAY));
        applyText("{}");

        assertThat(fires().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
    }

    @Test
    void theNodeWithTheDutyFiresASharedManifest() {
        Fires first = process(Optional.of("n1"), false);
        fires = process(Optional.of("n2"), true);
        apply("");
        look(first);
        now = TWO;
        look(first);
        assertThat(starts).isEmpty();

        look();
        look(first);
        assertThat(starts).hasSize(1);
    }

    @Test
    void theNodeThatAppliedItFiresAManifestThatItAloneSees() throws IOException {
        Files.createDirectories(project.resolve("own"));
        Files.copy(project.resolve("m.yaml"), project.resolve("own/m.yaml"));
        fires = process(Optional.of("n1"), false);
        applyText("schedules: [{name: nightly, cron: '0 2 * * *', manifest: " + project.resolve("own/m.yaml") + "}]");
        Fires other = process(Optional.of("n2"), true);
        now = TWO;
        look(other);
        assertThat(starts).isEmpty();

        look();
        assertThat(starts).hasSize(1);
    }

    private static String hundred(int minute) {
        StringBuilder text = new StringBuilder("schedules:\n");
        for (int number = 0; number < 100; number++) {
            text.append("  - {name: s" + number + ", cron: '" + minute + " 2 * * *', manifest: /m.yaml}\n");
        }
        return text.toString();
    }

    @Test
    void aHundredSchedulesAreRecordedWithinASecond() {
        long begun = System.nanoTime();
        applyText(hundred(0));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
        assertThat(await(store.newestTimes())).hasSize(100);
    }

    /** Answers with what became of each fire by hand, all requested at once. */
    private List<RunAnswer> fireAtOnce(List<FireSchedule> commands) {
        FireRequests requests = new FireRequests(vertx, store, policies, ownership(Optional.empty()), fires::look);
        long looks = vertx.setPeriodic(20, due -> home.run(fires::look));
        List<RunAnswer> answers =
                commands.stream().map(command -> home.call(() -> requests.fire(command))).toList().stream()
                        .map(answer -> await(answer))
                        .toList();
        assertThat(vertx.cancelTimer(looks)).isTrue();
        return answers;
    }

    private static FireSchedule byHand(String key, String task) {
        return new FireSchedule("nightly", By.HAND, Optional.of(key), Map.of("TASK", task));
    }

    @Test
    void manyClientsWithOneKeyAreOneFire() throws IOException {
        manifest("name: demo\nvars: {TASK: none}\nagents:\n  dev: {command: [\"true\"]}\n"
                + "phases:\n  - {name: one, task: dev}\n");
        apply("");
        List<FireSchedule> commands = new ArrayList<>(Collections.nCopies(20, byHand("k", "a")));
        commands.add(byHand("k", "b"));

        List<RunAnswer> answers = fireAtOnce(commands);

        assertThat(answers.subList(0, 20))
                .allSatisfy(answer -> assertThat(
                                answer.document().orElseThrow().path("runId").asText())
                        .isEqualTo("run-1"));
        assertThat(answers.get(20).refusal().orElseThrow().code()).isEqualTo(RefusalCode.IDEMPOTENCY_KEY_REUSED);
        assertThat(starts).hasSize(1);
    }

    @Test
    void manyClientsWithKeysOfTheirOwnAreFiresThatOverlap() throws IOException {
        manifest("name: demo\nvars: {TASK: none}\nagents:\n  dev: {command: [\"true\"]}\n"
                + "phases:\n  - {name: one, task: dev}\n");
        apply("");

        List<RunAnswer> answers = fireAtOnce(IntStream.range(0, 20)
                .mapToObj(number -> byHand("k" + number, "a"))
                .toList());

        assertThat(starts).hasSize(1);
        assertThat(answers.stream()
                        .map(answer ->
                                answer.document().orElseThrow().path("outcome").asText()))
                .hasSize(20)
                .containsOnlyOnce("started")
                .containsOnly("started", "skipped");
    }

    @Test
    void aHundredSchedulesAreAppliedToAFileWithinASecond() {
        Vertx own = Vertx.vertx();
        OpenStore file = await(SqliteEventStore.open(own, project));
        PolicyKeeper keeper = new PolicyKeeper(own, file);
        await(own.deployVerticle(new PolicyVerticle(keeper, false)));
        await(own.deployVerticle(new ScheduleVerticle(
                file,
                keeper,
                ownership(Optional.empty()),
                SharedSignalFiles.none(),
                Duties.sole(),
                Map.of(),
                List.of(),
                true)));
        // The first time loads classes too.
        Duration first = apply(own, file, 0);
        Duration again = apply(own, file, 1);

        assertThat(first.compareTo(again) < 0 ? first : again).isLessThan(Duration.ofSeconds(1));
        await(file.close());
        await(own.close());
    }

    /** Returns how long it took until the application of each schedule was durable. */
    private static Duration apply(Vertx own, OpenStore file, int minute) {
        JsonNode document = ((PolicyReading.Valid) PolicyReader.read(hundred(minute))).document();
        long begun = System.nanoTime();
        await(StoreChannels.PUT_POLICY.ask(
                own.eventBus(), new PutPolicy(document, OptionalLong.empty(), "test"), SOON));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .until(() -> await(file.newestTimes()).stream()
                                .filter(fire -> fire.message().orElse("").startsWith(minute + " "))
                                .count()
                        == 100);
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
