package dev.loopkeeper.cli.verb;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.ArgumentGroup;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a resume may bring; the body of {@code POST /runs/{runId}/resume}. */
final class ResumeOptions implements ArgumentGroup {
    private static final Map<String, String> FIELDS = Map.ofEntries(
            entry("action", "ACTION"),
            entry("feedback", "--feedback"),
            entry("maxIterations", "--max-iterations"),
            entry("maxAttempts", "--max-attempts"),
            entry("waive", "--waive"),
            entry("resetItems", "--reset-items"),
            entry("budget.costUsd", "--budget-usd"),
            entry("budget.tokens", "--budget-tokens"),
            entry("budget.turns", "--budget-turns"),
            entry("stopConditions.maxRetryRate", "--max-retry-rate"),
            entry("stopConditions.maxRejectRate", "--max-reject-rate"),
            entry("stopConditions.maxConsecutiveFails", "--max-consecutive-fails"),
            entry("stopConditions.circuitBreaker", "--circuit-breaker"),
            entry("stopConditions.minAttempted", "--min-attempted"));

    /** As the program itself writes them where only a person knows what to say. */
    private static final Set<String> PLACEHOLDERS = Set.of("TEXT", "ANSWERS");

    private String feedback;
    private Double budgetUsd;
    private Long budgetTokens;
    private Long budgetTurns;
    private Integer maxIterations;
    private Integer maxAttempts;
    private Double maxRetryRate;
    private Double maxRejectRate;
    private Integer maxConsecutiveFails;
    private Integer circuitBreaker;
    private Integer minAttempted;
    private List<String> resetItems = new ArrayList<>();
    private boolean resetStatistics;
    private boolean acknowledge;
    private String waive;
    private boolean force;

    @Override
    public Arguments addTo(Arguments arguments) {
        return arguments
                .option("--feedback", "TEXT", "Reaches the next step.")
                .text(value -> feedback = value)
                .option("--budget-usd", "N", "New cap on cost.")
                .decimal(value -> budgetUsd = value)
                .option("--budget-tokens", "N", "New cap on tokens.")
                .large(value -> budgetTokens = value)
                .option("--budget-turns", "N", "New cap on turns.")
                .large(value -> budgetTurns = value)
                .option("--max-iterations", "N", "New limit of the loop; 0 is none.")
                .number(value -> maxIterations = value)
                .option("--max-attempts", "N", "New limit of attempts per item.")
                .number(value -> maxAttempts = value)
                .option("--max-retry-rate", "RATE", "New threshold, 0 to 1; 0 is off.")
                .decimal(value -> maxRetryRate = value)
                .option("--max-reject-rate", "RATE", "New threshold, 0 to 1; 0 is off.")
                .decimal(value -> maxRejectRate = value)
                .option("--max-consecutive-fails", "N", "New threshold; 0 is off.")
                .number(value -> maxConsecutiveFails = value)
                .option("--circuit-breaker", "N", "New threshold; 0 is off.")
                .number(value -> circuitBreaker = value)
                .option("--min-attempted", "N", "Units before a rate counts.")
                .number(value -> minAttempted = value)
                .option("--reset-items", "ID", "Items that start afresh.")
                .split(",")
                .texts(value -> resetItems = value)
                .flag("--reset-statistics", "The counts start afresh.", value -> resetStatistics = value)
                .flag("--acknowledge", "The cause of a fatal ending is fixed.", value -> acknowledge = value)
                .option("--waive", "GATE", "The gate that need not pass.")
                .text(value -> waive = value)
                .flag("--force", "Resume though something is missing; this is recorded.", value -> force = value);
    }

    /** Only what was given; a command that was copied and not filled in is refused. */
    ObjectNode body(Optional<String> action) {
        if (feedback != null && PLACEHOLDERS.contains(feedback)) {
            throw CommandFailure.refused(
                    "--feedback " + feedback + " stands for your own words; give them in its place,"
                            + " e.g. --feedback 'PostgreSQL; the API may change'");
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        action.ifPresent(name -> put(body, "action", name));
        put(body, "feedback", feedback);
        put(body, "maxIterations", maxIterations);
        put(body, "maxAttempts", maxAttempts);
        put(body, "waive", waive);
        flag(body, "resetStatistics", resetStatistics);
        flag(body, "acknowledge", acknowledge);
        flag(body, "force", force);
        nested(body, "budget", budget());
        nested(body, "stopConditions", stopConditions());
        if (!resetItems.isEmpty()) {
            body.set("resetItems", Json.MAPPER.valueToTree(resetItems));
        }
        return body;
    }

    private ObjectNode budget() {
        ObjectNode budget = Json.MAPPER.createObjectNode();
        put(budget, "costUsd", budgetUsd);
        put(budget, "tokens", budgetTokens);
        put(budget, "turns", budgetTurns);
        return budget;
    }

    private ObjectNode stopConditions() {
        ObjectNode conditions = Json.MAPPER.createObjectNode();
        put(conditions, "maxRetryRate", maxRetryRate);
        put(conditions, "maxRejectRate", maxRejectRate);
        put(conditions, "maxConsecutiveFails", maxConsecutiveFails);
        put(conditions, "circuitBreaker", circuitBreaker);
        put(conditions, "minAttempted", minAttempted);
        return conditions;
    }

    /** The same message of the API, by the names of options instead of fields of the body. */
    static String byOptions(String message) {
        return FIELDS.entrySet().stream()
                .filter(field -> message.startsWith(field.getKey() + " "))
                .map(field ->
                        field.getValue() + message.substring(field.getKey().length()))
                .findFirst()
                .orElse(message);
    }

    private static void put(ObjectNode body, String name, Object value) {
        if (value != null) {
            body.set(name, Json.MAPPER.valueToTree(value));
        }
    }

    private static void flag(ObjectNode body, String name, boolean value) {
        if (value) {
            body.put(name, true);
        }
    }

    private static void nested(ObjectNode body, String name, ObjectNode value) {
        if (!value.isEmpty()) {
            body.set(name, value);
        }
    }
}
