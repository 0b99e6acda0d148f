package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code step.swept}: the result of a scan for orphaned processes of a step.
 *
 * @param count number of ended processes
 * @param survivors processes that could not be killed, as {@code pid command}
 * @param processes the first {@value #MOST_NAMED} ended processes
 */
@JsonTypeName("step.swept")
public record StepSwept(String stepId, int count, List<String> survivors, List<SweptProcess> processes)
        implements RunEvent {
    /** Bounds the event of an agent that forks without end. */
    private static final int MOST_NAMED = 100;

    private static final String NOT_KILLED = "processes could not be killed: ";
    private static final String UNKNOWN = ", as far as is known, since the process scan failed: ";

    /** The result of a sweep. */
    public static StepSwept of(String stepId, List<SweptProcess> ended, List<String> survivors) {
        return new StepSwept(stepId, ended.size(), survivors, ended.subList(0, Math.min(ended.size(), MOST_NAMED)));
    }

    /**
     * A failed scan: earlier processes may still live.
     *
     * @param run paused over processes of this step now or earlier
     */
    public static StepSwept unmade(String stepId, RunState run, String why) {
        String left = Stream.concat(run.pauses().stream(), run.toleratedSurvivors().stream())
                .filter(pause -> isOf(stepId, pause))
                .map(Pause::message)
                .map(StepSwept::named)
                .distinct()
                .collect(Collectors.joining("; "));
        return new StepSwept(stepId, 0, List.of((left.isEmpty() ? "some of them" : left) + UNKNOWN + why), List.of());
    }

    private static String named(String message) {
        String named = message.startsWith(NOT_KILLED) ? message.substring(NOT_KILLED.length()) : message;
        return named.contains(UNKNOWN) ? named.substring(0, named.indexOf(UNKNOWN)) : named;
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        Stream<Pause> again = state.toleratedSurvivors().stream().filter(this::isMine);
        return state.withPauses(Stream.concat(state.pauses().stream(), again)
                        .flatMap(pause -> left(pause).stream())
                        .toList())
                .withToleratedSurvivors(state.toleratedSurvivors().stream()
                        .filter(pause -> !isMine(pause))
                        .toList());
    }

    @Override
    public String text() {
        String named = processes.stream().map(SweptProcess::text).collect(Collectors.joining("; "));
        return "step " + stepId + " left " + Amounts.count(count, "orphaned process", "orphaned processes")
                + ", now ended"
                + (named.isEmpty() ? "" : ": " + named)
                + (survivors.isEmpty() ? "" : "; could not be killed: " + String.join("; ", survivors));
    }

    private boolean isMine(Pause pause) {
        return isOf(stepId, pause);
    }

    private static boolean isOf(String stepId, Pause pause) {
        return pause.reason() == PauseReason.SURVIVORS
                && pause.stepId().filter(stepId::equals).isPresent();
    }

    /** A pause over surviving processes of this step; empty once they are gone. */
    private Optional<Pause> left(Pause pause) {
        if (!isMine(pause)) {
            return Optional.of(pause);
        }
        return survivors.isEmpty() ? Optional.empty() : Optional.of(pause.saying(message(survivors)));
    }

    public static String message(List<String> survivors) {
        return NOT_KILLED + String.join("; ", survivors);
    }
}
