package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.NotifySpec;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the targets of notifications and their events. */
final class NotifyReader {
    static final List<String> KEYS = List.of("webhook", "command", "events", "secretEnv");

    static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private NotifyReader() {}

    static List<NotifySpec> read(DocumentNode list) {
        return Fields.each(list, KEYS).map(NotifyReader::notification).toList();
    }

    private static NotifySpec notification(Fields fields) {
        if (fields.has("webhook") == fields.has("command")) {
            fields.map().wrong("expected exactly one of webhook and command");
        } else if (fields.has("command")) {
            fields.at("secretEnv").ifPresent(node -> node.wrong("only a webhook is signed; remove secretEnv"));
        }
        return new NotifySpec(
                fields.at("webhook")
                        .flatMap(node -> node.text(
                                NotifyReader::isWeb,
                                text -> "expected an http or https URL such as http://127.0.0.1:9000/hook")),
                fields.at("command").flatMap(CommandReader::read),
                fields.elements("events", "list the events to report, e.g. [run.paused, run.ended]", "event")
                        .flatMap(event -> event.choice(Choices.EVENT).stream())
                        .toList(),
                fields.at("secretEnv")
                        .flatMap(node -> node.text(VARIABLE.asMatchPredicate(), NotifyReader::noVariable)));
    }

    static String noVariable(String text) {
        return "expected the name of the environment variable that holds the secret, e.g. HOOK_SECRET";
    }

    private static boolean isWeb(String address) {
        try {
            URI uri = new URI(address);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return http && Authority.of(uri).isPresent();
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }
}
