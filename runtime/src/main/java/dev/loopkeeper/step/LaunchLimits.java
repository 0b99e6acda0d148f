package dev.loopkeeper.step;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a launch may use before a limit ends its work; the launch itself is included. Each part is absent without a limit.
 *
 * @param iterationsLeft of the loop
 * @param attemptsLeft of the item
 * @param timeLeftMs active time of the run's budget, in milliseconds
 * @param deadline the earlier of the end of that time and of the step's own timeout
 */
@RecordBuilder
public record LaunchLimits(
        OptionalInt iterationsLeft,
        OptionalInt attemptsLeft,
        OptionalDouble costUsdLeft,
        OptionalLong tokensLeft,
        OptionalLong turnsLeft,
        OptionalLong timeLeftMs,
        Optional<Instant> deadline) {
    /** No limit. */
    public static final LaunchLimits NONE = LaunchLimitsBuilder.builder().build();

    /** One line, e.g. {@code 3 iterations and $4.20 left, including this launch; deadline 2026-11-20T16:00:00Z}. */
    public String text() {
        String left = Stream.of(
                        iterationsLeft.stream().mapToObj(count -> Amounts.count(count, "iteration")),
                        attemptsLeft.stream().mapToObj(count -> Amounts.count(count, "attempt")),
                        costUsdLeft.stream().mapToObj(Amounts::dollars),
                        tokensLeft.stream().mapToObj(count -> Amounts.count(count, "token")),
                        turnsLeft.stream().mapToObj(count -> Amounts.count(count, "turn")),
                        timeLeftMs.stream().mapToObj(millis -> Amounts.duration(millis) + " of active time"))
                .flatMap(part -> part)
                .collect(Collectors.joining(", "));
        return Stream.of(
                        left.isEmpty() ? "" : left + " left, including this launch",
                        deadline.map(time -> "deadline " + time).orElse(""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
