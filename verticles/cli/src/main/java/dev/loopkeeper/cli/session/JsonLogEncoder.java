package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * Encodes each log event as one JSON object in one line: {@code {"timestamp": "2026-11-20T15:12:33.120Z", "level":
 * "INFO", "logger": "...", "message": "...", "runId": "...", "stepId": "...", "exception": "..."}}. The last three are
 * present only if known. Run and step are the arguments that a message names as {@code run {}} and {@code step {}}.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final String ARGUMENT = "{}";
    private static final byte[] NOTHING = {};

    private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

    JsonLogEncoder() {
        stackTraces.start();
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("timestamp", Json.MAPPER.convertValue(Instant.ofEpochMilli(event.getTimeStamp()), String.class));
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("message", event.getFormattedMessage());
        named("run ", event).ifPresent(run -> line.put("runId", run));
        named("step ", event).ifPresent(step -> addStep(line, step));
        if (event.getThrowableProxy() != null) {
            line.put("exception", stackTraces.convert(event).strip());
        }
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Adds a step, given alone or as {@code RUN/STEP}. */
    private static void addStep(ObjectNode line, String step) {
        int slash = step.indexOf('/');
        if (slash > 0) {
            line.put("runId", step.substring(0, slash));
        }
        line.put("stepId", step.substring(slash + 1));
    }

    private static Optional<String> named(String word, ILoggingEvent event) {
        String pattern = event.getMessage();
        Object[] arguments = event.getArgumentArray();
        int argument = 0;
        for (int at = pattern.indexOf(ARGUMENT); at >= 0; at = pattern.indexOf(ARGUMENT, at + ARGUMENT.length())) {
            boolean found = pattern.startsWith(word, at - word.length());
            if (found && arguments != null && argument < arguments.length) {
                return Optional.of(String.valueOf(arguments[argument]));
            }
            argument++;
        }
        return Optional.empty();
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
