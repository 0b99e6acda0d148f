package dev.loopkeeper.agent.said;

import static dev.loopkeeper.agent.said.Values.count;
import static dev.loopkeeper.agent.said.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.said.SaidLine.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Gemini CLI's stream-json. Its words come in pieces, which are put together to lines. */
final class GeminiWords implements JsonLines.Words {
    private static final int MOST_HELD = 8 * SaidLines.LONGEST;

    private final StringBuilder held = new StringBuilder();

    @Override
    public Optional<Instant> at(JsonNode event) {
        try {
            return text(event, "timestamp").map(Instant::parse);
        } catch (DateTimeException noTime) {
            return Optional.empty();
        }
    }

    @Override
    public void tell(JsonNode event, JsonLines.Teller teller) {
        String type = event.path("type").asText();
        if (type.equals("message")) {
            message(event, teller);
            return;
        }
        finish(teller);
        switch (type) {
            case "tool_use" ->
                teller.tell(Kind.TOOL, ToolCall.of(event.path("tool_name").asText("tool"), event.path("parameters")));
            case "tool_result" -> {
                boolean failed = event.path("status").asText().equals("error");
                teller.tell(
                        Kind.RESULT,
                        failed
                                ? "failed: "
                                        + event.path("error").path("message").asText()
                                : Values.words(event.path("output")));
            }
            case "error" -> teller.tell(Kind.ERROR, event.path("message").asText());
            case "result" -> result(event, teller);
            default -> document(event, teller);
        }
    }

    @Override
    public void finish(JsonLines.Teller teller) {
        if (held.length() > 0) {
            teller.tell(Kind.SAYS, held.toString());
            held.setLength(0);
        }
    }

    private void message(JsonNode event, JsonLines.Teller teller) {
        if (!event.path("role").asText("assistant").equals("assistant")) {
            return;
        }
        held.append(event.path("content").asText());
        int end = held.lastIndexOf("\n");
        boolean whole = !event.path("delta").asBoolean() || held.length() > MOST_HELD;
        if (whole) {
            finish(teller);
        } else if (end >= 0) {
            teller.tell(Kind.SAYS, held.substring(0, end));
            held.delete(0, end + 1);
        }
    }

    private static void result(JsonNode event, JsonLines.Teller teller) {
        if (event.path("error").isObject()) {
            teller.tell(Kind.ERROR, event.path("error").path("message").asText());
        }
        JsonNode stats = event.path("stats");
        teller.tell(
                Kind.USAGE,
                UsageWords.of(
                        OptionalLong.empty(),
                        count(stats, "input_tokens"),
                        count(stats, "output_tokens"),
                        OptionalDouble.empty()));
    }

    /** The one object of its json output. */
    private static void document(JsonNode event, JsonLines.Teller teller) {
        text(event, "response").ifPresent(words -> teller.tell(Kind.SAYS, words));
        if (event.path("error").isObject()) {
            teller.tell(Kind.ERROR, event.path("error").path("message").asText());
        }
    }
}
