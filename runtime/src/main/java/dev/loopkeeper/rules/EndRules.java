package dev.loopkeeper.rules;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.ReasonCodes;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.termination.TerminationReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends a run: at a stop, on a client's request with a reason of its own, or because its runtime cannot continue. */
final class EndRules {
    private static final int LONGEST_NAME = 256;

    private EndRules() {}

    /**
     * Agents are stopped as by an operator's stop; the ending is recorded when no process is left. Long texts are cut, as
     * those of a stop: their length must not keep a run from being ended.
     */
    static Decision decide(DecisionBuilder builder, RunInput.End input) {
        if (input.summary().isBlank()) {
            return Decision.refused(
                    builder.state(), invalid("summary", "must give the reason for the end in one line"));
        }
        ReasonCodes codes = new ReasonCodes(builder.state().manifest());
        Optional<TerminationReason> reason = codes.find(input.reasonCode());
        if (reason.isEmpty()) {
            return Decision.refused(builder.state(), unknown(input.reasonCode(), codes.all()));
        }
        EndReason cause = EndReason.of(reason.get(), BoundedText.beginning(input.summary()))
                .askedBy(StopCause.OPERATOR)
                .about(
                        Optional.empty(),
                        Optional.empty(),
                        input.qualifier().map(text -> BoundedText.beginning(text, LONGEST_NAME)));
        boolean repeated = builder.state().condition() instanceof Condition.Stopping stopping
                && stopping.causes().contains(cause);
        if (!repeated) {
            builder.end(cause, StopMode.TERMINATE);
        }
        return builder.done();
    }

    /** @param others other reasons for an ending, by reason code */
    static Decision stop(DecisionBuilder builder, RunInput.Stop input, List<String> others) {
        boolean second = builder.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
        StandardReason reason = switch (input.cause()) {
            case SIGNAL, NODE_LOST -> StandardReason.INTERRUPTED;
            default -> StandardReason.OPERATOR_STOP;
        };
        String summary = input.reason()
                .filter(text -> !text.isBlank())
                .map(BoundedText::beginning)
                .orElse(
                        reason == StandardReason.INTERRUPTED
                                ? "received a termination signal"
                                : "stopped by an operator");
        builder.end(
                EndReason.of(reason, summary).askedBy(input.cause()).withOthers(others),
                input.now() || second ? StopMode.KILL : StopMode.TERMINATE);
        return builder.done();
    }

    /** A disk that stays full fails repeatedly, and may have space for the event that reports it. */
    static Decision broken(DecisionBuilder builder, RunInput.Broken input) {
        EndReason cause = EndReason.of(StandardReason.INFRASTRUCTURE, input.message());
        if (input.stop().isPresent()) {
            return stop(builder, input.stop().get(), List.of(cause.label()));
        }
        boolean known = builder.state().condition() instanceof Condition.Stopping stopping
                && stopping.causes().contains(cause);
        if (!known) {
            builder.end(cause, StopMode.TERMINATE);
        }
        return builder.done();
    }

    private static Refusal unknown(String code, List<String> known) {
        String hint = NearestName.of(code, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("known are " + String.join(", ", known));
        String shown = code.length() > LONGEST_NAME ? code.substring(0, LONGEST_NAME) + "..." : code;
        return invalid(
                "reason", "'" + shown + "' is neither built in nor declared under the manifest's reasons; " + hint);
    }

    private static Refusal invalid(String path, String detail) {
        return new Refusal(RefusalCode.INVALID_REQUEST, path + " " + detail, Map.of("path", path));
    }
}
