package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.ErrorRuleSpec;
import dev.loopkeeper.step.ErrorRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the manifest's own rows of the error table. */
final class ErrorsReader {
    static final List<String> KEYS = List.of("kind", "says", "code", "status", "source");
    static final List<String> SCOPES = List.of("says", "code", "status");
    /** Kinds that an agent can report; kinds that only Loopkeeper raises are excluded. */
    static final Map<String, String> KINDS = Choices.words(
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

    /** Every error is compared with each row. */
    private static final int MOST_ROWS = 100;

    private ErrorsReader() {}

    static List<ErrorRuleSpec> read(DocumentNode list) {
        List<DocumentNode> rows = list.elements();
        if (rows.size() > MOST_ROWS) {
            list.wrong("expected at most " + MOST_ROWS + " rows, found " + rows.size()
                    + "; one expression may name several messages: a|b");
        }
        return rows.stream()
                .limit(MOST_ROWS)
                .flatMap(node -> Fields.of(node, KEYS).stream())
                .flatMap(fields -> rule(fields).stream())
                .toList();
    }

    private static Optional<ErrorRuleSpec> rule(Fields fields) {
        Optional<String> kind =
                fields.required("kind", "name the kind of error, e.g. billing").flatMap(node -> node.choice(KINDS));
        List<String> scopes = SCOPES.stream().filter(fields::has).toList();
        if (scopes.size() != 1) {
            fields.map()
                    .wrong("expected one of says, code and status, found "
                            + (scopes.isEmpty() ? "none" : String.join(" and ", scopes)));
            return Optional.empty();
        }
        String scope = scopes.get(0);
        String source = fields.at("source").flatMap(DocumentNode::scalar).orElse("");
        return fields.at(scope)
                .flatMap(node -> pattern(node, scope))
                .flatMap(pattern -> kind.map(name -> new ErrorRuleSpec(name, scope, pattern, source)));
    }

    private static Optional<String> pattern(DocumentNode node, String scope) {
        Optional<String> text = node.scalar();
        text.flatMap(pattern -> ErrorRules.objection(scope, pattern)).ifPresent(node::wrong);
        return text;
    }
}
