package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A target of notifications and its events. Exactly one of {@code webhook} and {@code command} is present.
 *
 * @param webhook http or https URL, or {@code env:NAME} of the environment variable that holds it
 * @param command run for each event, words are templates that may name the run and its summary
 * @param events event types, e.g. {@code run.paused}, and {@link #ATTENTION}; at least one
 * @param secretEnv name of the environment variable that holds the webhook's signing secret
 * @param format of the webhook's message; absent: {@link NotifyFormat#JSON}
 * @param headers sent to the webhook; a value may be {@code env:NAME}
 */
public record NotifySpec(
        Optional<String> webhook,
        Optional<CommandLine> command,
        List<String> events,
        Optional<String> secretEnv,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<NotifyFormat> format,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> headers) {
    /** Among {@code events}: every event that a person must act on. */
    public static final String ATTENTION = "attention";

    private static final String VARIABLE = "env:";
    private static final Pattern HEADER = Pattern.compile("[\\t\\x20-\\x7e]+");

    /** Returns the environment variable that the text refers to, e.g. {@code SLACK_URL} of {@code env:SLACK_URL}. */
    public static Optional<String> variable(String text) {
        return text.startsWith(VARIABLE) ? Optional.of(text.substring(VARIABLE.length())) : Optional.empty();
    }

    /** Whether this is an http or https URL with a host. */
    public static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return http && Authority.of(uri).isPresent();
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }

    /** Whether this may be the value of a header: one line of ASCII characters. */
    public static boolean isHeader(String text) {
        return HEADER.matcher(text).matches();
    }

    /** Whether people read the messages in a chat or on a phone. */
    @JsonIgnore
    public boolean isChat() {
        return format.filter(shape -> shape != NotifyFormat.JSON).isPresent();
    }
}
