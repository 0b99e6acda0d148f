package dev.loopkeeper.cli.follow;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeNeed;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunLimits;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a resume of a run needs, and the command for it.
 *
 * @param need text for people; empty if nothing is needed
 * @param command command without the program, e.g. {@code resume demo-1 --acknowledge}
 */
record ResumeHint(Optional<String> need, String command) {
    private static final String UNKNOWN = "N";

    /** Returns the hint for a paused or ended run; empty if it cannot be resumed. */
    static Optional<ResumeHint> of(Run run) {
        String plain = "resume " + run.runId();
        if (run.status() == RunStatus.PAUSED) {
            ResumeAction first = run.pause().stream()
                    .flatMap(pause -> pause.allowedActions().stream())
                    .findFirst()
                    .orElse(ResumeAction.CONTINUE);
            return Optional.of(new ResumeHint(Optional.empty(), plain + " " + first.wire()));
        }
        return run.termination().filter(ended -> run.resumable()).map(ended -> of(ended, plain, run));
    }

    /** Returns options and action of the command, e.g. {@code --acknowledge}; empty if there are none. */
    static Optional<String> options(Run run) {
        String plain = "resume " + run.runId();
        return of(run).map(hint -> hint.command().substring(plain.length()).strip())
                .filter(options -> !options.isEmpty());
    }

    private static ResumeHint of(Termination termination, String plain, Run run) {
        ResumeNeed need = need(termination, run);
        String command = need == ResumeNeed.BUDGET ? plain + budget(termination, run) : plain + options(need, run);
        return new ResumeHint(words(need, termination), command);
    }

    /** A reason that a step named itself has no limit to raise where its phase has none. */
    private static ResumeNeed need(Termination termination, Run run) {
        ResumeNeed need = need(termination);
        boolean items = run.phases().stream()
                .anyMatch(phase -> phase.kind().equals("each")
                        && run.position().phase().filter(phase.name()::equals).isPresent());
        return switch (need) {
            case ITERATIONS_OR_FEEDBACK -> run.limits().maxIterations().isPresent() ? need : ResumeNeed.FEEDBACK;
            case ATTEMPTS_OR_RESET_ITEMS, RESET_BLOCKING_ITEMS -> items ? need : ResumeNeed.NONE;
            default -> need;
        };
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

    /** Returns twice the cap, since the minimum would be used up at once, but always more than is spent. */
    private static String budget(Termination termination, Run run) {
        String summary = termination.summary();
        RunLimits limits = run.limits();
        if (summary.contains("tokens")) {
            return " --budget-tokens "
                    + enough(limits.tokens(), run.usage().tokens().orElse(0));
        }
        return summary.contains("turns")
                ? " --budget-turns "
                        + enough(limits.turns(), run.usage().turns().orElse(0))
                : " --budget-usd "
                        + (limits.costUsd().isPresent()
                                ? enough(
                                        limits.costUsd().getAsDouble(),
                                        run.usage().costUsd().orElse(0))
                                : UNKNOWN);
    }

    private static String enough(OptionalLong cap, long spent) {
        return cap.isPresent() ? enough((double) cap.getAsLong(), (double) spent) : UNKNOWN;
    }

    private static String enough(double cap, double spent) {
        double value = Math.max(2 * cap, Math.floor(spent) + 1);
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String options(ResumeNeed need, Run run) {
        return switch (need) {
            case ITERATIONS_OR_FEEDBACK ->
                " --max-iterations "
                        + run.limits()
                                .maxIterations()
                                .map(most -> Long.toString(2L * most))
                                .orElse(UNKNOWN);
            case ATTEMPTS_OR_RESET_ITEMS -> " --max-attempts N";
            case THRESHOLD_OR_RESET_STATISTICS -> " --reset-statistics";
            case FEEDBACK, FEEDBACK_OR_MANIFEST -> " --feedback TEXT";
            case MANIFEST -> " --manifest FILE";
            case RESET_BLOCKING_ITEMS -> " --reset-items ID,...";
            case ACKNOWLEDGE -> " --acknowledge";
            case BUDGET, NONE, NEVER -> "";
        };
    }
}
