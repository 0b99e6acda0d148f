package dev.loopkeeper.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.TraceReceiver;
import dev.loopkeeper.embed.TraceReceiver.ReceivedSpan;
import dev.loopkeeper.run.ResumeRequest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class OpenTelemetryTracingTest {
    private static final String LOOP = """
            name: traced
            agents:
              dev: {command: [./dev.sh, --model, opus-5], output: claude-code, signal: .loopkeeper/dev.json}
              tests: {command: "true"}
            phases:
              - {name: build, loop: {maxIterations: 3, steps: [dev]}}
              - {name: accept, gate: tests}
            """;
    private static final String REPORT =
            "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\",\"session_id\":\"s-1\","
                    + "\"total_cost_usd\":0.6,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}'";

    @TempDir
    Path folder;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void leave() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.loopkeeper.opentelemetry");
    }

    private List<String> logged() {
        return log.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private Keeper keeper(String endpoint, Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        all.put("otel.exporter.otlp.endpoint", endpoint);
        Path data = folder.resolve("data");
        return new Keeper(data, folder.resolve("w"), LoopkeeperOptions.of(data).with(new OpenTelemetryTracing(all)));
    }

    @Test
    void theSpansOfARunAreATreeWithTheIdsOfItsAgents() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver()) {
            try (Keeper keeper = keeper(receiver.url(), Map.of())) {
                keeper.script(
                        "dev.sh",
                        "echo $TRACEPARENT >> traces; test -e once && d=SUCCESS || d=PROGRESS; touch once; "
                                + "$LOOPKEEPER_SIGNAL --determination $d > signal.log; " + REPORT);
                keeper.until(keeper.startAs("one-1", LOOP), "completed");
            }

            ReceivedSpan root = receiver.await("invoke_workflow traced", 1).get(0);
            assertThat(root.parentId()).isEmpty();
            assertThat(root.status()).isEqualTo(1);
            assertThat(root.attributes())
                    .containsEntry("gen_ai.operation.name", "invoke_workflow")
                    .containsEntry("gen_ai.workflow.name", "traced")
                    .containsEntry("loopkeeper.run.id", "one-1")
                    .containsEntry("loopkeeper.termination", "stop");
            List<ReceivedSpan> steps = receiver.await("invoke_agent dev", 2);
            ReceivedSpan first = receiver.await("iteration 1", 1).get(0);
            assertThat(first.parentId()).isEqualTo(root.spanId());
            assertThat(first.attribute("loopkeeper.verdict")).isEqualTo("PROGRESS");
            assertThat(steps.get(0).parentId()).isEqualTo(first.spanId());
            assertThat(steps.get(1).parentId())
                    .isEqualTo(receiver.await("iteration 2", 1).get(0).spanId());
            assertThat(steps.get(0).attributes())
                    .containsEntry("gen_ai.operation.name", "invoke_agent")
                    .containsEntry("gen_ai.agent.name", "dev")
                    .containsEntry("gen_ai.provider.name", "anthropic")
                    .containsEntry("gen_ai.request.model", "opus-5")
                    .containsEntry("gen_ai.conversation.id", "s-1")
                    .containsEntry("gen_ai.usage.input_tokens", 10L)
                    .containsEntry("gen_ai.usage.output_tokens", 5L)
                    .containsEntry("loopkeeper.cost_usd", 0.6);
            assertThat(receiver.await("gate accept", 1).get(0).parentId()).isEqualTo(root.spanId());
            assertThat(receiver.spans())
                    .hasSize(6)
                    .allSatisfy(span -> assertThat(span.traceId()).isEqualTo(root.traceId()))
                    .allSatisfy(span -> assertThat(span.start()).isLessThanOrEqualTo(span.end()));
            assertThat(Files.readAllLines(folder.resolve("w/traces")))
                    .isEqualTo(steps.stream()
                            .map(step -> "00-" + step.traceId() + "-" + step.spanId() + "-01")
                            .toList());
            assertThat(logged()).isEmpty();
        }
    }

    @Test
    void anExecutionLinksToTheOneThatItContinuesAndNamesItsError() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver();
                Keeper keeper = keeper(receiver.url(), Map.of())) {
            keeper.script("dev.sh", "echo $TRACEPARENT >> traces");
            keeper.until(keeper.startAs("one-1", LOOP), "paused");
            keeper.stop("one-1", true);
            keeper.untilEnded("one-1");
            keeper.script("dev.sh", "$LOOPKEEPER_SIGNAL --determination SUCCESS > signal.log");
            keeper.resume("one-1", ResumeRequest.PLAIN);
            keeper.until("one-1", "completed");

            List<ReceivedSpan> roots = receiver.await("invoke_workflow traced", 2);
            assertThat(roots.get(0).traceId()).isNotEqualTo(roots.get(1).traceId());
            assertThat(roots.get(1).links()).containsExactly(roots.get(0).spanId());
            assertThat(roots.get(0).links()).isEmpty();
            assertThat(roots.get(0).events()).containsExactly("run.paused");
            assertThat(roots.get(0).status()).isEqualTo(2);
            assertThat(roots.get(0).attributes())
                    .containsEntry("loopkeeper.termination", "error_operator_stop")
                    .containsKey("error.type");
            assertThat(receiver.named("invoke_agent dev").get(1).traceId())
                    .isEqualTo(roots.get(1).traceId());
        }
    }

    @Test
    void aDeadCollectorChangesNothingAndIsLoggedOnce() throws Exception {
        String dead;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            dead = "http://127.0.0.1:" + socket.getLocalPort();
        }
        Map<String, String> quick =
                Map.of("otel.bsp.schedule.delay", "1", "otel.java.exporter.otlp.retry.disabled", "true");
        try (Keeper keeper = keeper(dead, quick)) {
            keeper.script("dev.sh", "$LOOPKEEPER_SIGNAL --determination SUCCESS > signal.log");
            keeper.until(keeper.startAs("one-1", LOOP), "completed");
            keeper.until(keeper.startAs("two-1", LOOP), "completed");
        }

        assertThat(logged()).singleElement().asString().startsWith("The collector of OTEL_EXPORTER_OTLP_ENDPOINT");
    }

    @Test
    void anUnusableConfigurationIsLoggedAndRunsContinue() throws Exception {
        try (Keeper keeper = keeper("http://127.0.0.1:9", Map.of("otel.exporter.otlp.protocol", "grpc"))) {
            keeper.script("dev.sh", "$LOOPKEEPER_SIGNAL --determination SUCCESS > signal.log");
            keeper.until(keeper.startAs("one-1", LOOP), "completed");
        }

        assertThat(logged()).singleElement().asString().startsWith("No traces are sent: ");
    }
}
