package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.view.Caps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs wait at a cap, and continue when it has capacity. Each step costs $0.60 and 15 tokens. */
class CapsTest {
    private static final String CAPS = "caps: [{name: night, costUsd: %s, per: month, match: {name: 'fix-*'}}]";
    private static final String MANIFEST = """
            name: %s
            agents: {dev: {command: [sh, dev.sh], output: claude-code}}
            phases: [{name: one, task: dev}, {name: two, task: dev}, {name: three, task: dev}]
            """;
    private static final String REPORT =
            "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\","
                    + "\"total_cost_usd\":0.6,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}'";

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void start() throws Exception {
        open();
        keeper.script("dev.sh", REPORT);
    }

    private void open() throws Exception {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private void apply(String policy) {
        Keeper.await(keeper.loopkeeper().applyPolicy(policy));
    }

    private Caps.Entry cap() {
        return Keeper.await(keeper.loopkeeper().caps()).caps().get(0);
    }

    private List<String> codes(String run) {
        return keeper.events(run).stream()
                .filter(event -> event.type().equals("notice"))
                .map(event -> event.data().path("code").asText())
                .filter(code -> code.startsWith("cap-"))
                .toList();
    }

    @Test
    void aRunWaitsAtTheCapAndContinuesOnceItIsRaised() {
        apply(CAPS.formatted("1"));
        String run = keeper.start(MANIFEST.formatted("fix-it"));

        JsonNode waiting = keeper.until(run, "waiting");

        Window.Span window = Window.MONTH.at(Instant.now(), ZoneOffset.UTC);
        assertThat(waiting.path("waiting").path("reason").asText()).isEqualTo("cap");
        assertThat(waiting.path("waiting").path("detail").asText()).isEqualTo("night");
        assertThat(waiting.path("waiting").path("message").asText())
                .isEqualTo("cap night is reached: $1.20 of $1.00 used");
        assertThat(Instant.parse(waiting.path("resumeAt").asText())).isEqualTo(window.end());
        assertThat(keeper.steps(run)).hasSize(2);
        assertThat(cap().costUsd().spent()).isEqualByComparingTo("1.2");
        assertThat(cap().tokens().spent()).isEqualTo(30);
        assertThat(cap().waitingRuns()).isEqualTo(1);

        apply(CAPS.formatted("9"));

        assertThat(keeper.until(run, "completed", "stopped", "failed")
                        .path("status")
                        .asText())
                .isEqualTo("completed");
        assertThat(cap().costUsd().spent()).isEqualByComparingTo("1.8");
        assertThat(cap().waitingRuns()).isZero();
    }

    @Test
    void onlyMatchingRunsWaitAndARemovedCapLetsThemContinue() {
        apply(CAPS.formatted("0.5"));
        String limited = keeper.start(MANIFEST.formatted("fix-it"));
        keeper.until(limited, "waiting");
        String other = keeper.start(MANIFEST.formatted("other"));
        String late = keeper.start(MANIFEST.formatted("fix-more"));

        assertThat(keeper.until(other, "completed").path("status").asText()).isEqualTo("completed");
        keeper.until(late, "waiting");
        assertThat(keeper.steps(late)).isEmpty();
        assertThat(cap().waitingRuns()).isEqualTo(2);

        apply("{}");

        keeper.until(limited, "completed");
        keeper.until(late, "completed");
    }

    @Test
    void aCapThatIsAppliedLaterCountsWhatTheStoreHas() {
        keeper.until(keeper.start(MANIFEST.formatted("fix-it")), "completed");

        apply("caps: [{name: night, tokens: 40, per: month}]");

        assertThat(cap().tokens().spent()).isEqualTo(45);
        keeper.until(keeper.start(MANIFEST.formatted("other")), "waiting");
    }

    @Test
    void aWaitingRunStillWaitsAfterARestartAndNothingCountsTwice() throws Exception {
        apply(CAPS.formatted("1"));
        String run = keeper.start(MANIFEST.formatted("fix-it"));
        keeper.until(run, "waiting");
        keeper.close();

        open();

        keeper.until(run, "waiting");
        assertThat(cap().costUsd().spent()).isEqualByComparingTo("1.2");
        apply(CAPS.formatted("9"));
        keeper.until(run, "completed");
        assertThat(cap().costUsd().spent()).isEqualByComparingTo("1.8");
    }

    @Test
    void aStoppedRunWaitsNoLonger() {
        apply(CAPS.formatted("0.5"));
        String run = keeper.start(MANIFEST.formatted("fix-it"));
        keeper.until(run, "waiting");

        keeper.stop(run, false);

        keeper.until(run, "stopped");
        assertThat(cap().waitingRuns()).isZero();
    }

    @Test
    void notifiesEachOpenRunOnceOfANearAndOfAReachedCap() throws Exception {
        keeper.script("dev.sh", "while [ ! -e go ]; do sleep 0.05; done; " + REPORT);
        String beside = keeper.start(MANIFEST.formatted("fix-beside"));
        keeper.until(beside, "running");
        keeper.script("dev2.sh", REPORT);
        apply(CAPS.formatted("1.9"));
        String run = keeper.start(MANIFEST.formatted("fix-it").replace("dev.sh", "dev2.sh"));
        keeper.until(run, "completed");
        Awaitility.await().until(() -> codes(beside), codes -> codes.contains("cap-near"));

        apply(CAPS.formatted("1.8"));
        Awaitility.await().until(() -> codes(beside), codes -> codes.contains("cap-reached"));
        Files.createFile(keeper.workspace().resolve("go"));

        keeper.until(beside, "waiting");
        assertThat(codes(beside)).containsExactly("cap-near", "cap-reached");
    }
}
