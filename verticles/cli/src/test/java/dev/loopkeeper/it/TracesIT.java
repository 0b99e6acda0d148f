package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.TraceReceiver;
import dev.loopkeeper.embed.TraceReceiver.ReceivedSpan;
import dev.loopkeeper.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracesIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String MANIFEST = """
            name: traced
            agents: {dev: {command: ./dev.sh, signal: .loopkeeper/dev.json}}
            retry: {backoff: {initial: 10ms}}
            phases: [{name: build, loop: {maxIterations: 3, steps: [dev]}}]
            """;
    /** The first launch meets an overloaded provider, the second leaves no signal, the third is adopted. */
    private static final String AGENT = """
            echo $TRACEPARENT >> traces
            case $n in
            1) echo '503 overloaded' >&2; exit 1 ;;
            2) exit 0 ;;
            3) while [ ! -e go ]; do sleep 0.02; done ;;
            esac
            "$LOOPKEEPER_SIGNAL" --determination SUCCESS
            """;

    @TempDir
    private Path folder;

    private Program serve(TraceReceiver receiver, Agents agents) throws Exception {
        Map<String, String> environment = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url());
        return Program.start(
                folder,
                environment,
                "serve",
                "--port",
                "0",
                "--data",
                agents.data().toString());
    }

    @Test
    void aRunWithARetryAPauseAResumeAndAKilledServerIsOneTrace() throws Exception {
        Agents agents = new Agents(folder);
        agents.script("dev", AGENT);
        try (TraceReceiver receiver = new TraceReceiver()) {
            String run;
            try (Program server = serve(receiver, agents)) {
                Api api = Api.of(server);
                run = api.submit(MANIFEST, folder);
                api.until(run, "paused");
                api.post(
                        "/runs/" + run + "/resume",
                        Json.MAPPER.createObjectNode().put("action", "retry_iteration"));
                Awaitility.await().atMost(SOON).until(() -> agents.launches("dev") == 3);
                // A killed server loses what it has not sent yet.
                receiver.await("invoke_agent dev", 2);
                receiver.await("iteration 1", 1);
                server.kill();
            }
            try (Program server = serve(receiver, agents)) {
                Api api = Api.of(server);
                Files.createFile(folder.resolve("go"));
                api.until(run, "completed");

                List<ReceivedSpan> steps = receiver.await("invoke_agent dev", 3);
                ReceivedSpan root = receiver.await("invoke_workflow traced", 1).get(0);
                assertThat(root.events()).containsExactly("run.paused", "run.resumed");
                assertThat(receiver.spans())
                        .allSatisfy(span -> assertThat(span.traceId()).isEqualTo(root.traceId()));
                assertThat(Files.readAllLines(folder.resolve("traces")))
                        .isEqualTo(steps.stream()
                                .map(step -> "00-" + step.traceId() + "-" + step.spanId() + "-01")
                                .toList());
                assertThat(steps.get(0).attribute("error.type")).isEqualTo("server");
                List<ReceivedSpan> attempts = receiver.await("iteration 1", 2);
                assertThat(attempts).extracting(ReceivedSpan::parentId).containsOnly(root.spanId());
                assertThat(steps)
                        .extracting(ReceivedSpan::parentId)
                        .containsExactly(
                                attempts.get(0).spanId(),
                                attempts.get(0).spanId(),
                                attempts.get(1).spanId());
            }
        }
    }
}
