package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.NotifyFormat;
import dev.loopkeeper.manifest.NotifySpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the targets of notifications and their events. */
final class NotifyReader {
    static final List<String> KEYS = List.of("webhook", "format", "headers", "command", "events", "secretEnv");

    private static final List<Map.Entry<String, String>> OF_WEBHOOKS = List.of(
            Map.entry("format", "only a webhook has a format"),
            Map.entry("headers", "only a webhook has headers"),
            Map.entry("secretEnv", "only a webhook is signed"));
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    /** Headers that the HTTP client itself sets. */
    private static final Set<String> RESERVED =
            Set.of("host", "content-length", "transfer-encoding", "connection", "expect", "upgrade");

    static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private NotifyReader() {}

    static List<NotifySpec> read(DocumentNode list) {
        return Fields.each(list, KEYS).map(NotifyReader::notification).toList();
    }

    private static NotifySpec notification(Fields fields) {
        if (fields.has("webhook") == fields.has("command")) {
            fields.map().wrong("expected exactly one of webhook and command");
        } else if (fields.has("command")) {
            OF_WEBHOOKS.forEach(key ->
                    fields.at(key.getKey()).ifPresent(node -> node.wrong(key.getValue() + "; remove " + key.getKey())));
        }
        Optional<NotifyFormat> format = fields.at("format").flatMap(node -> node.choice(Choices.NOTIFY_FORMAT));
        boolean chat =
                fields.has("format") && format.filter(NotifyFormat.JSON::equals).isEmpty();
        return new NotifySpec(
                fields.at("webhook")
                        .flatMap(node -> node.text(
                                NotifyReader::isAddress,
                                text -> "expected an http or https URL such as http://127.0.0.1:9000/hook, or env:NAME"
                                        + " of the environment variable that holds it")),
                fields.at("command").flatMap(CommandReader::read),
                chat && !fields.has("events") ? List.of(NotifySpec.ATTENTION) : events(fields),
                fields.at("secretEnv")
                        .flatMap(node -> node.text(VARIABLE.asMatchPredicate(), NotifyReader::noVariable)),
                format,
                fields.at("headers")
                        .filter(node -> node.value().isObject()
                                || node.expected("a map").isPresent())
                        .map(NotifyReader::headers)
                        .orElse(Map.of()));
    }

    static String noVariable(String text) {
        return "expected the name of the environment variable that holds the secret, e.g. HOOK_SECRET";
    }

    private static List<String> events(Fields fields) {
        return fields.elements("events", "list the events to report, e.g. [run.paused, run.ended]", "event")
                .flatMap(event -> event.choice(Choices.NOTIFY_EVENT).stream())
                .toList();
    }

    private static Map<String, String> headers(DocumentNode node) {
        node.entries().forEach((name, value) -> {
            if (!HEADER_NAME.matcher(name).matches() || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
                value.wrongKey("expected the name of a header that may be set, e.g. Authorization");
            }
            value.scalar()
                    .filter(text -> !isHeader(text))
                    .ifPresent(text -> value.wrong(
                            "expected the value of a header on one line of ASCII characters, or env:NAME of the environment"
                                    + " variable that holds it"));
        });
        return ScalarMap.HEADERS.read(node);
    }

    private static boolean isHeader(String text) {
        return NotifySpec.isHeader(text) && NotifySpec.variable(text).stream().allMatch(VARIABLE.asMatchPredicate());
    }

    private static boolean isAddress(String text) {
        return NotifySpec.variable(text).map(VARIABLE.asMatchPredicate()::test).orElseGet(() -> NotifySpec.isUrl(text));
    }
}
