package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in a trace, in the form of <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>.
 *
 * @param traceparent e.g. {@code 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}
 * @param tracestate what tracing systems add to it; passed on as it is
 */
public record TraceContext(
        String traceparent,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> tracestate) {
    /** Variable of agents, and of the command that submits a run; as an HTTP header in lower case. */
    public static final String PARENT = "TRACEPARENT";
    /** Variable and header beside {@link #PARENT}. */
    public static final String STATE = "TRACESTATE";

    private static final Pattern FORM =
            Pattern.compile("(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?");
    private static final Pattern STATE_FORM = Pattern.compile("[\\x20-\\x7e\\t]{1,512}");
    private static final String VERSION = "00";
    private static final String SAMPLED = "01";
    private static final int TRACE_START = 3;
    private static final int TRACE_DIGITS = 32;
    private static final int SPAN_START = TRACE_START + TRACE_DIGITS + 1;
    private static final int SPAN_DIGITS = 16;

    /** Reads a caller's position; empty where it has none or no valid one, as the standard says. */
    public static Optional<TraceContext> read(Optional<String> parent, Optional<String> state) {
        return parent.map(String::strip)
                .filter(text -> form(text).isPresent())
                .map(text -> new TraceContext(
                        text, state.filter(given -> STATE_FORM.matcher(given).matches())));
    }

    /** Reads the position of a program with this environment. */
    public static Optional<TraceContext> of(Map<String, String> environment) {
        return read(Optional.ofNullable(environment.get(PARENT)), Optional.ofNullable(environment.get(STATE)));
    }

    /** Begins the trace of something that this text identifies: the same for the same text. */
    public static TraceContext begin(String identity) {
        String trace = Sha256.hex("trace " + identity).substring(0, TRACE_DIGITS);
        return new TraceContext(VERSION + "-" + trace + "-" + span(trace, identity) + "-" + SAMPLED, Optional.empty());
    }

    /**
     * Returns the position within which the steps of an execution are: its caller's, else a trace of its own.
     *
     * @param nonce of the run
     */
    public static TraceContext of(Optional<TraceContext> caller, String nonce, int execution) {
        return caller.orElseGet(() -> begin(nonce + " " + execution));
    }

    /** Returns the position of a span within this one, which this text identifies. */
    public TraceContext child(String identity) {
        Matcher form = form(traceparent).orElseThrow();
        String trace = form.group(2);
        return new TraceContext(VERSION + "-" + trace + "-" + span(trace, identity) + "-" + form.group(3), tracestate);
    }

    /** The trace, 32 hexadecimal digits. */
    public String traceId() {
        return traceparent.substring(TRACE_START, TRACE_START + TRACE_DIGITS);
    }

    /** The span, 16 hexadecimal digits. */
    public String spanId() {
        return traceparent.substring(SPAN_START, SPAN_START + SPAN_DIGITS);
    }

    private static String span(String trace, String identity) {
        return Sha256.hex(trace + " " + identity).substring(0, SPAN_DIGITS);
    }

    /** Version 00 has no further fields; later versions may. */
    private static Optional<Matcher> form(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches() && (form.group(4) == null || !form.group(1).equals(VERSION))
                ? Optional.of(form)
                : Optional.empty();
    }
}
