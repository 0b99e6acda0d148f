package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a resume; those that are given are the body of {@code POST /runs/{runId}/resume}. */
@SuppressWarnings("UnusedVariable") // Jackson reads the fields
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
@JsonInclude(Include.NON_DEFAULT)
final class ResumeOptions {
    /** The words that hints of this program use where a person must insert text. */
    private static final Set<String> PLACEHOLDERS = Set.of("TEXT", "ANSWERS");

    @Option(names = "--feedback", paramLabel = "TEXT", description = "Text for the next step.")
    private String feedback;

    @JsonIgnore
    @Option(names = "--unanswered", fallbackValue = "true", description = "Resume without an answer to open questions.")
    private boolean unanswered;

    @Mixin
    private final Budget budget = new Budget();

    @Mixin
    private final StopConditions stopConditions = new StopConditions();

    @Option(names = "--max-iterations", paramLabel = "N", description = "New limit of the loop; 0 is none.")
    private Integer maxIterations;

    @Option(names = "--max-attempts", paramLabel = "N", description = "New limit of attempts per item.")
    private Integer maxAttempts;

    @Option(names = "--reset-items", paramLabel = "ID", split = ",", description = "Items to start again.")
    private List<String> resetItems = new ArrayList<>();

    @Option(names = "--reset-statistics", fallbackValue = "true", description = "Start the counts again.")
    private boolean resetStatistics;

    @Option(
            names = "--acknowledge",
            fallbackValue = "true",
            description = "Confirm that the cause of a fatal ending is fixed.")
    private boolean acknowledge;

    @Option(names = "--waive", paramLabel = "GATE", description = "Gate that does not have to pass.")
    private String waive;

    @Option(
            names = "--force",
            fallbackValue = "true",
            description = "Resume although something is missing; this is recorded.")
    private boolean force;

    /** Returns a body with the given options only; a hint that was copied without inserting text is refused. */
    ObjectNode body(Optional<String> action) {
        if (feedback != null && PLACEHOLDERS.contains(feedback)) {
            throw CommandFailure.refused("--feedback " + feedback + " is a placeholder; replace it with your own text,"
                    + " e.g. --feedback 'yes, and keep the old name'");
        }
        ObjectNode body = Json.MAPPER.valueToTree(this);
        body.properties()
                .removeIf(
                        field -> field.getValue().isObject() && field.getValue().isEmpty());
        action.ifPresent(name -> body.put("action", name));
        return body;
    }

    /** Returns whether open questions stay open: the options neither answer them nor leave them on purpose. */
    boolean leavesQuestions() {
        return feedback == null && !unanswered;
    }

    /** Sets what a person answered; an empty text leaves the questions open on purpose. */
    void answer(String typed) {
        unanswered = typed.isEmpty();
        feedback = unanswered ? null : typed;
    }

    @JsonAutoDetect(fieldVisibility = Visibility.ANY)
    @JsonInclude(Include.NON_DEFAULT)
    private static final class Budget {
        @Option(names = "--budget-usd", paramLabel = "N", description = "New cap on cost.")
        private Double costUsd;

        @Option(names = "--budget-tokens", paramLabel = "N", description = "New cap on tokens.")
        private Long tokens;

        @Option(names = "--budget-turns", paramLabel = "N", description = "New cap on turns.")
        private Long turns;

        @Option(names = "--budget-time", paramLabel = "DURATION", description = "New cap on active time, e.g. 8h.")
        private String time;
    }

    @JsonAutoDetect(fieldVisibility = Visibility.ANY)
    @JsonInclude(Include.NON_DEFAULT)
    private static final class StopConditions {
        @Option(names = "--max-retry-rate", paramLabel = "RATE", description = "New threshold, 0 to 1; 0 is off.")
        private Double maxRetryRate;

        @Option(names = "--max-reject-rate", paramLabel = "RATE", description = "New threshold, 0 to 1; 0 is off.")
        private Double maxRejectRate;

        @Option(names = "--max-consecutive-fails", paramLabel = "N", description = "New threshold; 0 is off.")
        private Integer maxConsecutiveFails;

        @Option(names = "--circuit-breaker", paramLabel = "N", description = "New threshold; 0 is off.")
        private Integer circuitBreaker;

        @Option(
                names = "--min-attempted",
                paramLabel = "N",
                description = "How many units must be attempted before a rate is checked.")
        private Integer minAttempted;
    }
}
