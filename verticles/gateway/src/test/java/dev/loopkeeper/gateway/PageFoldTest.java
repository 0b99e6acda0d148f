package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.feed.FeedListener;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page folds events to the run that the server has, wherever it begins. */
class PageFoldTest extends WithServer {
    /** Else the page would show something else before a reload than after it. */
    @Test
    void eventsFoldToTheRunObjectOfTheServer() throws IOException {
        keeper.script(
                "each.sh",
                "echo '{\"verdict\": \"approved\", \"usage\": {\"costUsd\": 0.5, \"inputTokens\": 7}}' > each.json");
        keeper.script(
                "loop.sh",
                "[ $LOOPKEEPER_ITERATION = 2 ] && said=SUCCESS || said=PROGRESS\n"
                        + "echo '{\"determination\": \"'$said'\", \"keyConcern\": \"none\", \"usage\": {\"costUsd\": 0.25}}' > loop.json");
        String runId = keeper.start(
                "{name: folded, agents: {i: {command: ./each.sh, signal: each.json},"
                        + " l: {command: ./loop.sh, signal: loop.json}, g: {command: 'true'}},"
                        + " phases: [{name: items, each: {items: [{id: a}, {id: b}], steps: [i]}},"
                        + " {name: build, loop: {maxIterations: 5, steps: [l]}}, {name: check, gate: g}], budget: {costUsd: 9}}");
        keeper.untilEnded(runId);
        JsonNode run = api.get("/runs/" + runId).body();
        open("");
        sees("#list-ended", "folded");
        String folded = browser.ofModule(
                "fold.js",
                "const {events} = await (await fetch('/api/v1/runs/" + runId + "/events?limit=1000')).json();"
                        + "let run; for (const event of events) run = it.fold(run, event);"
                        + "for (const event of events) run = it.fold(run, event);"
                        + "return run;");
        JsonNode page = FeedListener.parse(folded);
        for (String same : List.of(
                "/status",
                "/sequence",
                "/execution",
                "/name",
                "/usage/costUsd",
                "/usage/inputTokens",
                "/usage/costKnown",
                "/limits/costUsd",
                "/phases",
                "/last/verdict",
                "/last/stepId",
                "/termination",
                "/resumable",
                "/createdAt",
                "/startedAt",
                "/endedAt",
                "/activeMs",
                "/position/countedIterations",
                "/pause")) {
            assertThat(comparable(page.at(same))).as(same).isEqualTo(comparable(run.at(same)));
        }
        assertThat(page.path("verdicts")).hasSize(2);
    }

    /** The row said "NaN days" after the next usage report: the page did not know when the step had begun. */
    @Test
    void aPageOpenedInTheMiddleOfAStepKnowsSinceWhenItRuns() throws IOException {
        String text = "echo '{\"type\": \"assistant\", \"message\": {\"id\": \"m%d\","
                + " \"usage\": {\"input_tokens\": 7, \"output_tokens\": 1}, \"content\": []}}'\n";
        keeper.script(
                "dev.sh",
                text.formatted(1) + "while [ ! -e more ]; do sleep 0.05; done\n" + text.formatted(2)
                        + "while [ ! -e end ]; do sleep 0.05; done\n");
        String runId = keeper.start("{name: halfway, agents: {dev: {command: ./dev.sh, output: claude-code}},"
                + " phases: [{name: p, task: dev}]}");
        awaitInputTokens(runId, 7);
        open("");
        sees("#list-going tr.run", "halfway");
        sees("#list-going .step", "dev");

        Files.createFile(keeper.workspace().resolve("more"));
        awaitInputTokens(runId, 14);
        String folded = browser.ofModule(
                "fold.js",
                "const run = await (await fetch('/api/v1/runs/" + runId + "')).json();"
                        + "const event = {runId: run.runId, sequence: run.sequence + 1, type: 'step.usage', at: run.startedAt,"
                        + " data: {stepId: 'p.dev.1', usage: {costUsd: null, inputTokens: 20, outputTokens: 3, turns: null}}};"
                        + "const after = it.fold(it.adopt(undefined, run), event);"
                        + "return [after.usage.inputTokens, after.open['p.dev.1'].agent,"
                        + " Number.isNaN(Date.parse(after.open['p.dev.1'].startedAt))];");
        assertThat(folded).isEqualTo("[20,\"dev\",false]");
        assertThat(browser.text()).contains("dev").doesNotContain("NaN");
        Files.createFile(keeper.workspace().resolve("end"));
        keeper.untilEnded(runId);
    }

    private void awaitInputTokens(String runId, long tokens) {
        await().until(() ->
                api.get("/runs/" + runId).body().at("/usage/inputTokens").asLong() == tokens);
    }

    /** The page folds events before it reads the run again; a notification must not depend on which of both came first. */
    @Test
    void theEventsOfARunNeedAttentionAsTheServerSays() throws IOException {
        String paused = keeper.start(
                "{name: asks, agents: {a: {command: [sh, -c, 'exit 0'], signal: s.json}}, phases: [{name: a, task: a}]}");
        keeper.until(paused, "paused");
        String stopped = keeper.start(
                "{name: asks, agents: {a: {command: [sh, -c, 'exit 0'], signal: t.json}}, phases: [{name: a, task: a}]}");
        keeper.until(stopped, "paused");
        assertThat(api.post("/runs/" + stopped + "/stop?wait=30s", "{}").status())
                .isEqualTo(200);
        String failed = task("fails", "exit 1");
        keeper.untilEnded(failed);
        String limited = keeper.start("{name: limit, agents: {a: {command: [sh, -c, 'exit 0']}}, phases: [{name: a,"
                + " loop: {steps: [a], maxIterations: 1, noProgress: 0, until: {command: 'false'}}}]}");
        keeper.untilEnded(limited);
        String completed = task("works", "exit 0");
        keeper.untilEnded(completed);
        open("");
        for (String runId : List.of(paused, stopped, failed, limited, completed)) {
            boolean server =
                    api.get("/runs/" + runId).body().path("needsAttention").booleanValue();
            assertThat(browser.ofModule(
                            "fold.js",
                            "const {events} = await (await fetch('/api/v1/runs/" + runId
                                    + "/events?limit=1000')).json();"
                                    + "let run; for (const event of events) run = it.fold(run, event);"
                                    + "return run.needsAttention;"))
                    .as(runId)
                    .isEqualTo(Boolean.toString(server));
            assertThat(server).as(runId).isEqualTo(!List.of(stopped, completed).contains(runId));
        }
    }

    /** Scripts know one kind of number only. */
    private static Object comparable(JsonNode node) {
        return node.isNumber() ? node.asDouble() : node;
    }
}
