package dev.loopkeeper.gateway;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What HTTP does, {@link Loopkeeper} does. */
class HttpParityTest {
    /** By operation, the method that does the same. */
    private static final Map<String, String> METHODS = Map.ofEntries(
            entry("listRuns", "runs"),
            entry("startRun", "submit"),
            entry("getRun", "run"),
            entry("getCheckpoint", "checkpoint"),
            entry("getEvents", "events"),
            entry("explainRun", "explain"),
            entry("getReceipts", "receipts"),
            entry("exportRun", "export"),
            entry("getDiff", "diff"),
            entry("stopRun", "stop"),
            entry("mergeRun", "merge"),
            entry("endRun", "end"),
            entry("pauseRun", "pause"),
            entry("answerAsk", "answer"),
            entry("resumeRun", "resume"),
            entry("pruneRuns", "prune"),
            entry("listIterations", "iterations"),
            entry("listItems", "items"),
            entry("listSteps", "steps"),
            entry("getStep", "step"),
            entry("askPerson", "ask"),
            entry("getAsk", "ask"),
            entry("getStepContext", "context"),
            entry("getStepDiff", "diff"),
            entry("getLog", "log"),
            entry("checkManifest", "validate"),
            entry("listProcesses", "processes"),
            entry("killRole", "kill"),
            entry("reapProcesses", "reap"),
            entry("feed", "feed"),
            entry("stream", "feed"),
            entry("getPolicy", "policy"),
            entry("putPolicy", "applyPolicy"),
            entry("listCaps", "caps"),
            entry("listPools", "pools"),
            entry("clearPool", "clearPool"),
            entry("listSchedules", "schedules"),
            entry("getSchedule", "schedule"),
            entry("fireSchedule", "fire"));
    /** By operation, why no method does the same. */
    private static final Map<String, String> ONLY_OVER_HTTP = Map.ofEntries(
            entry("answer", "its sender has a link of a notification; a program has Loopkeeper.answer"),
            entry("showAnswerForm", "a page"),
            entry("answerPage", "a page"),
            entry("answerPageFile", "a page"),
            entry("index", "a page"),
            entry("asset", "a page"),
            entry("assetDirective", "a page"),
            entry("openApi", "describes HTTP"),
            entry("live", "a probe of the process; a program knows that it lives"),
            entry("ready", "a probe of the process; the future of Loopkeeper.start says it"),
            entry("metrics", "a program gives its MeterRegistry to GatewayOptions.metered"),
            entry("getSession", "scopes of a token"),
            entry("listNodes", "nodes of a cluster, whose members belong to loopkeeper-cluster"),
            entry("mcp", "the same operations in another protocol"),
            entry("fireHook", "its sender has a signature; a program has Loopkeeper.fire"));

    private static Set<String> operations() throws IOException {
        try (InputStream document = Gateway.class.getResourceAsStream("openapi.json")) {
            Set<String> ids = new TreeSet<>();
            for (JsonNode path : Json.MAPPER.readTree(document).path("paths")) {
                path.forEach(operation -> {
                    if (operation.has("operationId")) {
                        ids.add(operation.path("operationId").asText());
                    }
                });
            }
            return ids;
        }
    }

    @Test
    void everyOperationHasAMethodOrAReason() throws IOException {
        assertThat(Stream.concat(METHODS.keySet().stream(), ONLY_OVER_HTTP.keySet().stream()))
                .containsExactlyInAnyOrderElementsOf(operations());
        assertThat(publicMethods()).containsAll(METHODS.values());
    }

    @Test
    void methodsWithoutAnOperationAreListed() {
        Set<String> others = publicMethods();
        others.removeAll(METHODS.values());

        assertThat(others)
                .containsExactlyInAnyOrder(
                        "start",
                        "close",
                        "attach",
                        "interrupt",
                        "skipGrace",
                        "stopNow",
                        "awaitEnd",
                        "awaitSuccess",
                        "cursor");
    }

    private static Set<String> publicMethods() {
        return Arrays.stream(Loopkeeper.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
