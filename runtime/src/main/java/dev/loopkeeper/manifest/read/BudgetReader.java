package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.Budget;
import java.util.List;
import java.util.OptionalLong;

/** Reads the limits of a run's budget. */
final class BudgetReader {
    static final List<String> KEYS = List.of("costUsd", "tokens", "turns", "time", "warnAt");

    static final DocumentNode.Range POSITIVE = DocumentNode.Range.above(0, Double.MAX_VALUE);
    static final DocumentNode.Range WARNING = DocumentNode.Range.above(0, 1);

    private BudgetReader() {}

    static Budget read(DocumentNode node) {
        return Fields.of(node, KEYS).map(BudgetReader::budget).orElse(Budget.NONE);
    }

    private static Budget budget(Fields fields) {
        return new Budget(
                fields.at("costUsd").flatMap(node -> node.number(POSITIVE)).stream()
                        .mapToDouble(Double::doubleValue)
                        .findFirst(),
                count(fields, "tokens"),
                count(fields, "turns"),
                fields.duration("time", DocumentNode.POSITIVE),
                fields.number("warnAt", WARNING, Budget.NONE.warnAt()));
    }

    static OptionalLong count(Fields fields, String key) {
        return fields.at(key).flatMap(node -> node.whole(1, Long.MAX_VALUE)).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }
}
