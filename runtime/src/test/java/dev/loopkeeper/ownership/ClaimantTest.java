package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimantTest {
    private static final FreeRun HERE = new FreeRun("run-1", new Placement.Pinned("n1"));
    private static final FreeRun THERE = new FreeRun("run-2", new Placement.Pinned("n2"));
    private static final FreeRun SHARED = new FreeRun("run-3", new Placement.Shared("/srv/work"));
    private static final FreeRun ELSEWHERE = new FreeRun("run-4", new Placement.Shared("/srv/other"));

    @Test
    void aNodeClaimsWhatItCanHost() {
        assertThat(new Claimant("n1", Set.of("/srv/work"), 10, 0).round(List.of(HERE, THERE, SHARED, ELSEWHERE)))
                .containsExactly(HERE, SHARED);
        assertThat(new Claimant("n1", Set.of(), 10, 0).round(List.of(HERE, THERE, SHARED, ELSEWHERE)))
                .containsExactly(HERE);
    }

    @Test
    void itClaimsAsManyAsItHasPlacesTheOldestFirst() {
        assertThat(new Claimant("n1", Set.of("/srv/work"), 3, 2).round(List.of(THERE, SHARED, HERE)))
                .containsExactly(SHARED);
        assertThat(new Claimant("n1", Set.of("/srv/work"), 3, 4).round(List.of(SHARED)))
                .as("more than its places, after a restart with fewer")
                .isEmpty();
    }

    @Test
    void oneRoundIsFiftyAtMost() {
        List<FreeRun> many = IntStream.range(0, 120)
                .mapToObj(number -> new FreeRun("run-" + number, HERE.placement()))
                .toList();
        assertThat(new Claimant("n1", Set.of(), 200, 0).round(many)).isEqualTo(many.subList(0, 50));
    }
}
