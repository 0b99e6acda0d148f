package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pools, caps and schedules of one policy, and runs on two nodes. */
class SharedPolicyRunsTest extends TwoNodes {
    private static final Duration SOON = Duration.ofSeconds(60);

    private Path workspace;

    @BeforeEach
    void prepare() {
        workspace = nodes.workspace("work");
    }

    private void script(String body) throws IOException {
        Path file = Files.writeString(workspace.resolve("agent.sh"), "#!/bin/sh\n" + body);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static String manifest(String agent) {
        return """
                name: shared
                retry: {backoff: {initial: 1s, max: 1s, jitter: 0}}
                agents: {dev: {command: ./agent.sh, %s}}
                phases: [{name: only, task: dev}]
                """.formatted(agent);
    }

    /** Answers once it holds on both nodes. */
    private void apply(String policy) {
        long version = await(owner.keeper().applyPolicy(policy)).version();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> await(other.keeper().policy()).version() == version);
    }

    private void becomes(LocalNodes.Node node, String runId, RunStatus status) {
        Awaitility.await(runId + " is " + status)
                .atMost(SOON)
                .until(() -> run(node, runId).status().equals(status));
    }

    private static Run run(LocalNodes.Node node, String runId) {
        return await(node.keeper().run(runId));
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(workspace.resolve(file)).stream()
                .map(String::strip)
                .toList();
    }

    @Test
    void neverMoreAgentsThanPlacesLiveOnBothNodesTogether() throws IOException {
        script("touch alive.$$; ls alive.* | wc -l >> most; sleep 0.2; rm alive.$$");
        apply("pools: {few: {places: 2}}");

        List<String> runs = IntStream.range(0, 8)
                .mapToObj(number -> (number % 2 == 0 ? owner : other).submit(manifest("pool: few"), workspace))
                .toList();

        runs.forEach(runId -> becomes(owner, runId, RunStatus.COMPLETED));
        assertThat(lines("most")).hasSize(8).containsOnly("1", "2");
    }

    @Test
    void aCoolDownOfOneNodeHoldsOnTheOtherAndIsClearedThere() throws IOException {
        script(
                "echo x >> launches; mkdir met 2>/dev/null && { echo 'Error: 429 Too Many Requests. Please retry in 3600s' >&2;"
                        + " exit 1; }; exit 0");
        apply("pools: {few: {}}");
        String first = owner.submit(manifest("pool: few"), workspace);
        becomes(owner, first, RunStatus.WAITING);

        String second = other.submit(manifest("pool: few"), workspace);
        becomes(other, second, RunStatus.WAITING);
        assertThat(run(other, second).resumeAt()).isPresent();
        assertThat(lines("launches")).hasSize(1);
        Pools.Entry cleared = await(other.keeper().clearPool("few"));

        assertThat(cleared.coolUntil()).isEmpty();
        becomes(owner, first, RunStatus.COMPLETED);
        becomes(other, second, RunStatus.COMPLETED);
    }

    @Test
    void aCapCountsWhatStepsOfBothNodesUse() throws IOException {
        script("echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\","
                + "\"total_cost_usd\":0.3,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}'");
        apply("caps: [{name: night, costUsd: 0.5, per: month}]");
        String reporting = manifest("output: claude-code");
        becomes(owner, owner.submit(reporting, workspace), RunStatus.COMPLETED);
        becomes(other, other.submit(reporting, workspace), RunStatus.COMPLETED);

        String third = owner.submit(reporting, workspace);

        becomes(owner, third, RunStatus.WAITING);
        assertThat(await(other.keeper().caps()).caps().get(0).costUsd().spent()).isEqualByComparingTo("0.6");
    }

    @Test
    void aScheduleFiresOnceOnBothNodesTogether() throws IOException {
        script("echo $LOOPKEEPER_RUN_ID >> fired");
        Path manifest = Files.writeString(workspace.resolve("m.yaml"), manifest("output: text"));
        Instant time = Instant.ofEpochSecond(Instant.now().plusSeconds(4).getEpochSecond());
        int rest = 3600 - time.atOffset(ZoneOffset.UTC).get(ChronoField.SECOND_OF_DAY) % 3600;
        apply(
                "schedules: [{name: nightly, cron: '0 * * * *', zone: \"+%s\", missed: once, overlap: queue, manifest: %s}]"
                        .formatted(LocalTime.ofSecondOfDay(rest % 3600), manifest));
        Awaitility.await().atMost(SOON).until(() -> Files.exists(workspace.resolve("fired")));

        List<Future<RunAnswer>> byHand = new ArrayList<>();
        for (LocalNodes.Node node : List.of(owner, other, owner, other)) {
            byHand.add(ScheduleChannels.FIRE.ask(
                    node.vertx().eventBus(),
                    new FireSchedule("nightly", By.HAND, Optional.of("one-key"), Map.of()),
                    SOON));
        }
        byHand.forEach(answer -> assertThat(await(answer).refusal()).isEmpty());

        Awaitility.await().atMost(SOON).until(() -> lines("fired").size() == 2);
        List<Fire> fires = await(other.keeper().schedule("nightly")).fires();
        assertThat(fires).extracting(Fire::outcome).containsExactly(Fire.Outcome.STARTED, Fire.Outcome.STARTED);
        assertThat(fires.get(1).at()).isEqualTo(time);
        assertThat(nodes.database.ask("SELECT count(*) FROM runs")).containsExactly("2");
    }
}
