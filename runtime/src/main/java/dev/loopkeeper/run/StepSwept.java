package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code step.swept}: a step left processes behind, or a later sweep has looked for them again.
 *
 * @param count ended ones
 * @param survivors those that would not die, as {@code pid command}
 * @param processes the ended ones, the first {@value #MOST_NAMED} of them
 */
@JsonTypeName("step.swept")
public record StepSwept(String stepId, int count, List<String> survivors, List<SweptProcess> processes)
        implements RunEvent {
    /** An agent that forks without end must not make an event of any length. */
    private static final int MOST_NAMED = 100;

    /** Without processes in what was written before they were named. */
    public StepSwept {
        processes = processes == null ? List.of() : List.copyOf(processes);
    }

    private static final String WOULD_NOT_DIE = "processes would not die: ";
    private static final String UNKNOWN = ", as far as is known, since they cannot be looked for: ";

    /** What a sweep came to. */
    public static StepSwept of(String stepId, List<SweptProcess> ended, List<String> survivors) {
        return new StepSwept(stepId, ended.size(), survivors, ended.subList(0, Math.min(ended.size(), MOST_NAMED)));
    }

    /**
     * A sweep that could not be made: whoever was left before may live.
     *
     * @param run rests, or has rested, for those of this step
     */
    public static StepSwept unmade(String stepId, RunState run, String why) {
        String left = Stream.concat(run.pauses().stream(), run.spared().stream())
                .filter(pause -> isOf(stepId, pause))
                .map(Pause::message)
                .map(StepSwept::named)
                .distinct()
                .collect(Collectors.joining("; "));
        return new StepSwept(stepId, 0, List.of((left.isEmpty() ? "some of them" : left) + UNKNOWN + why), List.of());
    }

    private static String named(String message) {
        String named = message.startsWith(WOULD_NOT_DIE) ? message.substring(WOULD_NOT_DIE.length()) : message;
        return named.contains(UNKNOWN) ? named.substring(0, named.indexOf(UNKNOWN)) : named;
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        Stream<Pause> again = state.spared().stream().filter(this::isMine);
        return state.withPauses(Stream.concat(state.pauses().stream(), again)
                        .flatMap(pause -> left(pause).stream())
                        .toList())
                .withSpared(
                        state.spared().stream().filter(pause -> !isMine(pause)).toList());
    }

    @Override
    public String text() {
        String named = processes.stream().map(SweptProcess::text).collect(Collectors.joining("; "));
        return "step " + stepId + " left " + count + " processes behind, now gone"
                + (named.isEmpty() ? "" : ": " + named)
                + (survivors.isEmpty() ? "" : "; survivors: " + String.join("; ", survivors));
    }

    private boolean isMine(Pause pause) {
        return isOf(stepId, pause);
    }

    private static boolean isOf(String stepId, Pause pause) {
        return pause.reason() == PauseReason.SURVIVORS
                && pause.stepId().filter(stepId::equals).isPresent();
    }

    /** A pause over survivors of this step: none once they are gone. */
    private Optional<Pause> left(Pause pause) {
        if (!isMine(pause)) {
            return Optional.of(pause);
        }
        return survivors.isEmpty() ? Optional.empty() : Optional.of(pause.saying(message(survivors)));
    }

    public static String message(List<String> survivors) {
        return WOULD_NOT_DIE + String.join("; ", survivors);
    }
}
