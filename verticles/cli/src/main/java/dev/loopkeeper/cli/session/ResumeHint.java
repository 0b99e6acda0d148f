package dev.loopkeeper.cli.session;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeNeed;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.Run;
import java.util.Optional;

/**
 * What a resume of a run needs, and the command for it.
 *
 * @param need for people; absent when nothing is needed
 * @param command without the program, e.g. {@code resume demo-1 --acknowledge}
 */
record ResumeHint(Optional<String> need, String command) {
    /** For a paused or ended run; empty when there is nothing to resume. */
    static Optional<ResumeHint> of(Run run) {
        String plain = "resume " + run.runId();
        if (run.status() == RunStatus.PAUSED) {
            ResumeAction first = run.pause().stream()
                    .flatMap(pause -> pause.allowedActions().stream())
                    .findFirst()
                    .orElse(ResumeAction.CONTINUE);
            return Optional.of(new ResumeHint(Optional.empty(), plain + " " + first.wire()));
        }
        return run.termination().filter(ended -> run.resumable()).map(ended -> of(ended, plain));
    }

    /** The options and the action of the command, e.g. {@code --acknowledge}; empty when it is plain. */
    static Optional<String> options(Run run) {
        String plain = "resume " + run.runId();
        return of(run).map(hint -> hint.command().substring(plain.length()).strip())
                .filter(options -> !options.isEmpty());
    }

    private static ResumeHint of(Termination termination, String plain) {
        ResumeNeed need = need(termination);
        String command = need == ResumeNeed.BUDGET ? plain + budget(termination) : plain + options(need);
        return new ResumeHint(words(need, termination), command);
    }

    private static ResumeNeed need(Termination termination) {
        return StandardReason.ofSubtype(termination.subtype())
                .map(StandardReason::resumeNeed)
                .orElseGet(() -> switch (termination.category()) {
                    case CAPACITY -> ResumeNeed.FEEDBACK;
                    case FATAL -> ResumeNeed.ACKNOWLEDGE;
                    case SUCCESS, RETRYABLE -> ResumeNeed.NONE;
                });
    }

    private static Optional<String> words(ResumeNeed need, Termination termination) {
        String subtype = termination.subtype();
        if (subtype.equals(StandardReason.GATE_FAILED.subtype())) {
            return Optional.of("nothing: the gate is evaluated again; or --waive with its name");
        }
        return need == ResumeNeed.NONE || need == ResumeNeed.NEVER ? Optional.empty() : Optional.of(need.wire());
    }

    private static String budget(Termination termination) {
        String summary = termination.summary();
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
