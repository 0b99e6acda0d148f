package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.NotifySpec;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the targets of notifications and their events. */
final class NotifyReader {
    static final List<String> KEYS = List.of("webhook", "command", "events", "secretEnv");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private NotifyReader() {}

    static List<NotifySpec> read(DocumentNode list) {
        return list.elements().stream()
                .flatMap(node -> Fields.of(node, KEYS).stream())
                .map(NotifyReader::notification)
                .toList();
    }

    private static NotifySpec notification(Fields fields) {
        if (fields.has("webhook") == fields.has("command")) {
            fields.map().wrong("expected exactly one of webhook and command");
        } else if (fields.has("command")) {
            fields.at("secretEnv").ifPresent(node -> node.wrong("only a webhook is signed; remove secretEnv"));
        }
        return new NotifySpec(
                fields.at("webhook").flatMap(NotifyReader::webhook),
                fields.at("command").flatMap(CommandReader::read),
                events(fields),
                fields.at("secretEnv").flatMap(NotifyReader::variable));
    }

    private static Optional<String> webhook(DocumentNode node) {
        Optional<String> address = node.text();
        if (address.isPresent() && !isWeb(address.get())) {
            node.wrong("expected an http or https URL such as http://127.0.0.1:9000/hook");
            return Optional.empty();
        }
        return address;
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

    private static List<String> events(Fields fields) {
        Optional<DocumentNode> list =
                fields.required("events", "list the events to report, e.g. [run.paused, run.ended]");
        return list.stream()
                .flatMap(node -> node.elements("event").stream())
                .flatMap(event -> event.choice(Choices.EVENT).stream())
                .toList();
    }

    private static Optional<String> variable(DocumentNode node) {
        Optional<String> name = node.text();
        if (name.isPresent() && !VARIABLE.matcher(name.get()).matches()) {
            node.wrong("expected the name of the environment variable that holds the secret, e.g. HOOK_SECRET");
        }
        return name;
    }
}
