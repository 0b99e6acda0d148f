package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimantTest {
    private static final FreeRun HERE = run("run-1", 1, new Placement.Pinned("n1"));
    private static final FreeRun THERE = run("run-2", 2, new Placement.Pinned("n2"));
    private static final FreeRun SHARED = run("run-3", 3, new Placement.Shared("/srv/work"));
    private static final FreeRun ELSEWHERE = run("run-4", 4, new Placement.Shared("/srv/other"));

    @Test
    void aNodeClaimsWhatItCanHost() {
        assertThat(new Claimant("n1", Set.of("/srv/work"), 10, 0)
                        .round(List.of(HERE, THERE, SHARED, ELSEWHERE), Optional.empty()))
                .containsExactly(HERE, SHARED);
        assertThat(new Claimant("n1", Set.of(), 10, 0).round(List.of(HERE, THERE, SHARED, ELSEWHERE), Optional.empty()))
                .containsExactly(HERE);
    }

    @Test
    void itClaimsAsManyAsItHasSlotsTheOldestFirst() {
        assertThat(new Claimant("n1", Set.of("/srv/work"), 3, 2).round(List.of(THERE, SHARED, HERE), Optional.empty()))
                .containsExactly(SHARED);
        assertThat(new Claimant("n1", Set.of("/srv/work"), 3, 4).round(List.of(SHARED), Optional.empty()))
                .as("more than its places, after a restart with fewer")
                .isEmpty();
    }

    /** Else nodes that are never free would pass it over for ever. */
    @Test
    void aNodeWithoutSlotsTakesWhatHasWaitedLongerThanItsOwn() {
        Claimant full = new Claimant("n1", Set.of("/srv/work"), 2, 2);
        Optional<Instant> own = Optional.of(Instant.ofEpochSecond(3));

        assertThat(full.round(List.of(HERE, THERE, SHARED), own)).containsExactly(HERE);
        assertThat(full.round(List.of(SHARED), own)).as("no older than its own").isEmpty();
        assertThat(new Claimant("n1", Set.of("/srv/work"), 4, 2).round(List.of(HERE, SHARED), own))
                .containsExactly(HERE, SHARED);
    }

    private static FreeRun run(String runId, int second, Placement placement) {
        return new FreeRun(runId, placement, Instant.ofEpochSecond(second));
    }

    @Test
    void oneRoundIsFiftyAtMost() {
        List<FreeRun> many = IntStream.range(0, 120)
                .mapToObj(number -> run("run-" + number, number, HERE.placement()))
                .toList();
        assertThat(new Claimant("n1", Set.of(), 200, 0).round(many, Optional.empty()))
                .isEqualTo(many.subList(0, 50));
    }
}
