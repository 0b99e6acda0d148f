package dev.loopkeeper.run;

import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code step.swept}: a step left processes behind, or a later sweep has looked for them again.
 *
 * @param count ended ones
 * @param survivors those that would not die, as {@code pid command}
 */
public record StepSwept(String stepId, int count, List<String> survivors) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Stream<Pause> again = state.spared().stream().filter(this::isMine);
        return state.withPauses(Stream.concat(state.pauses().stream(), again)
                        .flatMap(pause -> left(pause).stream())
                        .toList())
                .withSpared(
                        state.spared().stream().filter(pause -> !isMine(pause)).toList());
    }

    private boolean isMine(Pause pause) {
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

    static String message(List<String> survivors) {
        return "processes would not die: " + String.join("; ", survivors);
    }
}
