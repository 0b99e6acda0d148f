package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a run that is made on n1 may be executed. */
class PlacementTest {
    @ParameterizedTest
    @CsvSource({
        // root of its workspace, worktree, node, root that the node sees, whether it may have the run
        "/srv/work, false, n1, /srv/work, true",
        "/srv/work, false, n2, /srv/work, true",
        "/srv/work, false, n2, /srv/other, false",
        "/srv/work, true, n1, /srv/work, true",
        "/srv/work, true, n2, /srv/work, false",
        ", false, n1, /srv/work, true",
        ", false, n2, /srv/work, false",
        ", true, n2, /srv/work, false",
    })
    void aRunMovesOnlyWhereAllOfItsWorkIs(String root, boolean worktree, String node, String seen, boolean may) {
        Placement placement = Placement.of("n1", Optional.ofNullable(root), worktree);

        assertThat(placement.hosts(node, Set.of(seen))).isEqualTo(may);
    }
}
