package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.QueueShare.FreeSlots;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueShareTest {
    private static final String WORK = "/srv/work";
    private static final FreeRun FIRST = run(1, new Placement.Shared(WORK));
    private static final FreeRun SECOND = run(2, new Placement.Shared(WORK));
    private static final FreeRun THIRD = run(3, new Placement.Shared(WORK));
    private static final FreeRun OTHER = run(4, new Placement.Shared("/srv/other"));
    private static final FreeRun BOUND = run(5, new Placement.Pinned("n1"));

    private static FreeRun run(int second, Placement placement) {
        return new FreeRun("run-" + second, placement, Instant.ofEpochSecond(second));
    }

    private static QueueShare capacities(FreeSlots... capacities) {
        return new QueueShare(List.of(capacities));
    }

    @Test
    void asManyGoAsOthersHaveSlotsTheOldestFirst() {
        List<FreeRun> waiting = List.of(FIRST, SECOND, THIRD);

        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 1)).givenAway(waiting, List.of()))
                .containsExactly(FIRST);
        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 1), new FreeSlots("n3", Set.of(WORK), 1))
                        .givenAway(waiting, List.of()))
                .containsExactly(FIRST, SECOND);
        assertThat(capacities().givenAway(waiting, List.of())).isEmpty();
    }

    @Test
    void onlyWhatTheOthersCanHostGoes() {
        List<FreeRun> waiting = List.of(BOUND, OTHER, THIRD);

        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 9)).givenAway(waiting, List.of()))
                .containsExactly(THIRD);
        assertThat(capacities(new FreeSlots("n2", Set.of(), 9)).givenAway(waiting, List.of()))
                .isEmpty();
    }

    /** Each of several full nodes would send as many. */
    @Test
    void whatIsFreeAlreadyTakesTheSlotsFirst() {
        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 2)).givenAway(List.of(SECOND, THIRD), List.of(FIRST)))
                .containsExactly(SECOND);
        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 1)).givenAway(List.of(SECOND), List.of(FIRST)))
                .isEmpty();
        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), 1)).givenAway(List.of(SECOND), List.of(OTHER)))
                .as("of another folder")
                .containsExactly(SECOND);
    }

    @Test
    void oneRoundIsFiftyAtMost() {
        List<FreeRun> many = IntStream.range(0, 120)
                .mapToObj(number -> run(number, FIRST.placement()))
                .toList();
        assertThat(capacities(new FreeSlots("n2", Set.of(WORK), Integer.MAX_VALUE))
                        .givenAway(many, List.of()))
                .isEqualTo(many.subList(0, Claimant.MOST));
    }
}
