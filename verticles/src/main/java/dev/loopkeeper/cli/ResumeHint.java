package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.termination.ResumeNeed;
import dev.loopkeeper.termination.StandardReason;
import java.util.Optional;

/**
 * What a resume of a run needs, and the command for it.
 *
 * @param need for people; absent when nothing is needed
 * @param command without the program, e.g. {@code resume demo-1 --acknowledge}
 */
record ResumeHint(Optional<String> need, String command) {
    /** For a paused or ended run; empty when there is nothing to resume. */
    static Optional<ResumeHint> of(JsonNode run) {
        String plain = "resume " + run.path("runId").asText();
        if (RunStates.paused(run)) {
            String first = run.path("pause").path("allowedActions").path(0).asText("continue");
            return Optional.of(new ResumeHint(Optional.empty(), plain + " " + first));
        }
        if (!RunStates.ended(run) || !run.path("resumable").asBoolean(true)) {
            return Optional.empty();
        }
        JsonNode termination = run.path("termination");
        ResumeNeed need = need(termination);
        String command = need == ResumeNeed.BUDGET ? plain + budget(termination) : plain + options(need);
        return Optional.of(new ResumeHint(words(need, termination), command));
    }

    private static ResumeNeed need(JsonNode termination) {
        return StandardReason.ofSubtype(termination.path("subtype").asText())
                .map(StandardReason::resumeNeed)
                .orElseGet(() -> switch (termination.path("category").asText()) {
                    case "capacity" -> ResumeNeed.FEEDBACK;
                    case "fatal" -> ResumeNeed.ACKNOWLEDGE;
                    default -> ResumeNeed.NONE;
                });
    }

    private static Optional<String> words(ResumeNeed need, JsonNode termination) {
        String subtype = termination.path("subtype").asText();
        if (subtype.equals(StandardReason.GATE_FAILED.subtype())) {
            return Optional.of("nothing: the gate is evaluated again; or --waive with its name");
        }
        return need == ResumeNeed.NONE || need == ResumeNeed.NEVER ? Optional.empty() : Optional.of(need.wire());
    }

    private static String budget(JsonNode termination) {
        String summary = termination.path("summary").asText();
        if (summary.contains("tokens")) {
            return " --budget-tokens N";
        }
        return summary.contains("turns") ? " --budget-turns N" : " --budget-usd N";
    }

    private static String options(ResumeNeed need) {
        return switch (need) {
            case ITERATIONS_OR_FEEDBACK -> " --max-iterations N";
            case ATTEMPTS_OR_RESET_ITEMS -> " --max-attempts N";
            case THRESHOLD_OR_RESET_STATISTICS -> " --reset-statistics";
            case FEEDBACK, FEEDBACK_OR_MANIFEST -> " --feedback TEXT";
            case MANIFEST -> " --force";
            case RESET_BLOCKING_ITEMS -> " --reset-items ID,...";
            case ACKNOWLEDGE -> " --acknowledge";
            case BUDGET, NONE, NEVER -> "";
        };
    }
}
