package dev.loopkeeper.rules;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EndReason;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.TerminationReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends a run on a client's request, with a built-in reason or one of the manifest. */
final class EndRules {
    private static final int LONGEST_SUMMARY = 4096;
    private static final int LONGEST_QUALIFIER = 256;

    private EndRules() {}

    /** Agents are stopped as by an operator's stop; the ending is recorded when no process is left. */
    static Decision decide(DecisionBuilder builder, RunInput.End input) {
        Optional<Refusal> unusable = unusable(input);
        if (unusable.isPresent()) {
            return Decision.refused(builder.state(), unusable.get());
        }
        ReasonCodes codes = new ReasonCodes(builder.state().manifest());
        Optional<TerminationReason> reason = codes.find(input.reasonCode());
        if (reason.isEmpty()) {
            return Decision.refused(builder.state(), unknown(input.reasonCode(), codes.all()));
        }
        EndReason cause = EndReason.of(reason.get(), input.summary())
                .askedBy(StopCause.OPERATOR)
                .about(new EndReason.WorkRef(Optional.empty(), Optional.empty(), input.qualifier()));
        boolean repeated = builder.state().condition() instanceof Condition.Stopping stopping
                && stopping.causes().contains(cause);
        if (!repeated) {
            builder.end(cause, StopMode.TERMINATE);
        }
        return builder.done();
    }

    private static Optional<Refusal> unusable(RunInput.End input) {
        if (input.summary().isBlank()) {
            return Optional.of(invalid("summary", "must explain in a line why the run ends"));
        }
        if (input.summary().length() > LONGEST_SUMMARY) {
            return Optional.of(invalid("summary", "may have " + LONGEST_SUMMARY + " characters"));
        }
        return input.qualifier()
                .filter(text -> text.length() > LONGEST_QUALIFIER)
                .map(text -> invalid("qualifier", "may have " + LONGEST_QUALIFIER + " characters"));
    }

    private static Refusal unknown(String code, List<String> known) {
        String hint = NearestName.of(code, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("known are " + String.join(", ", known));
        String shown = code.length() > LONGEST_QUALIFIER ? code.substring(0, LONGEST_QUALIFIER) + "..." : code;
        return invalid(
                "reason", "'" + shown + "' is neither built in nor declared under the manifest's reasons; " + hint);
    }

    private static Refusal invalid(String path, String detail) {
        return new Refusal(RefusalCode.INVALID_REQUEST, path + " " + detail, Map.of("path", path));
    }
}
