package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.ErrorRuleSpec;
import dev.loopkeeper.step.WordPattern;
import dev.loopkeeper.step.Wording;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the lines of the table of errors that a manifest adds. */
final class ErrorsReader {
    static final List<String> KEYS = List.of("kind", "says", "code", "status", "source");
    static final List<String> SCOPES = List.of("says", "code", "status");
    /** What an agent can be told to have met; what the runtime itself raises is not among them. */
    static final Map<String, String> KINDS = Choices.words(
            "ordinary",
            "usage-window",
            "billing",
            "rate-limit",
            "infrastructure",
            "context-overflow",
            "overloaded",
            "network",
            "stream-cut",
            "entitlement",
            "model-missing",
            "auth",
            "server",
            "bad-request",
            "session-failed",
            "aborted");

    private static final Pattern STATUS = Pattern.compile("[45](?:\\d\\d|xx)");
    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_. -]{3,80}");

    private ErrorsReader() {}

    static List<ErrorRuleSpec> read(DocumentNode list) {
        return list.elements().stream()
                .flatMap(node -> Fields.of(node, KEYS).stream())
                .flatMap(fields -> rule(fields).stream())
                .toList();
    }

    private static Optional<ErrorRuleSpec> rule(Fields fields) {
        Optional<String> kind =
                fields.required("kind", "name what it is, e.g. billing").flatMap(node -> node.choice(KINDS));
        List<String> scopes = SCOPES.stream().filter(fields::has).toList();
        if (scopes.size() != 1) {
            fields.map()
                    .wrong("expected one of says, code and status, found "
                            + (scopes.isEmpty() ? "none" : String.join(" and ", scopes)));
            return Optional.empty();
        }
        String scope = scopes.get(0);
        Optional<String> pattern = fields.at(scope).flatMap(node -> pattern(node, scope, kind.orElse("")));
        String source = fields.at("source").flatMap(DocumentNode::scalar).orElse("");
        return kind.flatMap(known -> pattern.map(text -> new ErrorRuleSpec(known, scope, text, source)));
    }

    private static Optional<String> pattern(DocumentNode node, String scope, String kind) {
        Optional<String> text = node.scalar();
        text.flatMap(pattern -> objection(pattern, scope, kind)).ifPresent(node::wrong);
        return text;
    }

    private static Optional<String> objection(String pattern, String scope, String kind) {
        if (kind.equals("ordinary") && !scope.equals("says")) {
            return Optional.of("ordinary output is told by what it says only");
        }
        return switch (scope) {
            case "status" ->
                STATUS.matcher(pattern).matches()
                        ? Optional.empty()
                        : Optional.of("expected a status such as 419 or 5xx, found " + Wording.quoted(pattern));
            case "code" ->
                CODE.matcher(pattern).matches()
                        ? Optional.empty()
                        : Optional.of("expected a code of 3 to 80 letters, digits, dots, dashes and underscores, found "
                                + Wording.quoted(pattern));
            default -> words(pattern);
        };
    }

    private static Optional<String> words(String pattern) {
        return WordPattern.objection(pattern);
    }
}
