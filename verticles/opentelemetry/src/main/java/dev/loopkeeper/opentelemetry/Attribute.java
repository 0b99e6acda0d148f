package dev.loopkeeper.opentelemetry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.CommandModel;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.step.OneLine;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Map;

/**
 * Attributes of spans, from the data of their events. Those of the conventions for generative AI (1.41) are in
 * development and in no stable artifact, so their names stand here.
 */
final class Attribute {
    /** By the position of the value in an event. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("/stepId", "loopkeeper.step.id"),
            Map.entry("/phase", "loopkeeper.phase"),
            Map.entry("/attempt", "loopkeeper.attempt"),
            Map.entry("/verdict", "loopkeeper.verdict"),
            Map.entry("/outcome", "loopkeeper.outcome"),
            Map.entry("/status", "loopkeeper.status"),
            Map.entry("/reason", "loopkeeper.reason"),
            Map.entry("/action", "loopkeeper.action"),
            Map.entry("/termination/subtype", "loopkeeper.termination"),
            Map.entry("/termination/reasonCode", "loopkeeper.reason"),
            Map.entry("/result/status", "loopkeeper.status"),
            Map.entry("/result/costUsd", "loopkeeper.cost_usd"),
            Map.entry("/result/session/id", "gen_ai.conversation.id"),
            Map.entry("/result/usage/inputTokens", "gen_ai.usage.input_tokens"),
            Map.entry("/result/usage/outputTokens", "gen_ai.usage.output_tokens"));

    private static final Map<String, String> PROVIDERS =
            Map.of("claude-code", "anthropic", "codex", "openai", "gemini", "gcp.gemini");
    private static final String OPERATION = "gen_ai.operation.name";
    private static final int LONGEST_DESCRIPTION = 500;

    private Attribute() {}

    static Attributes of(JsonNode event) {
        AttributesBuilder facts = Attributes.builder();
        NAMES.forEach((pointer, name) -> {
            JsonNode value = event.at(pointer);
            if (value.isTextual()) {
                facts.put(name, value.asText());
            } else if (value.isIntegralNumber()) {
                facts.put(name, value.asLong());
            } else if (value.isNumber()) {
                facts.put(name, value.asDouble());
            }
        });
        return facts.build();
    }

    static Attributes execution(JsonNode created, int execution) {
        return Attributes.builder()
                .put(OPERATION, "invoke_workflow")
                .put("gen_ai.workflow.name", created.path("name").asText())
                .put("loopkeeper.run.id", created.path("runId").asText())
                .put("loopkeeper.execution", execution)
                .build();
    }

    static Attributes agent(String name, JsonNode agent) {
        AttributesBuilder facts =
                Attributes.builder().put(OPERATION, "invoke_agent").put("gen_ai.agent.name", name);
        String provider = PROVIDERS.get(agent.path("output").asText());
        if (provider != null) {
            facts.put("gen_ai.provider.name", provider);
        }
        if (agent.has("command")) {
            CommandModel.of(Json.MAPPER.convertValue(agent.path("command"), CommandLine.class))
                    .ifPresent(model -> facts.put("gen_ai.request.model", model));
        }
        return facts.build();
    }

    static void result(Span span, JsonNode result) {
        if (result.path("status").asText().equals("error")) {
            String ending = result.path("termination").asText();
            fail(
                    span,
                    result.at("/errorContext/kind").asText(ending),
                    result.at("/errorContext/message").asText(ending));
        }
    }

    static void termination(Span span, JsonNode how) {
        if (how.path("success").asBoolean()) {
            span.setStatus(StatusCode.OK);
        } else {
            String subtype = how.path("subtype").asText();
            fail(
                    span,
                    how.path("reasonCode").asText(subtype),
                    how.path("summary").asText());
        }
    }

    private static void fail(Span span, String type, String description) {
        span.setAttribute("error.type", type).setStatus(StatusCode.ERROR, OneLine.of(description, LONGEST_DESCRIPTION));
    }
}
