package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DuplicateNodeWatchTest {
    private static final LeaseTerms TERMS = LeaseTerms.DEFAULTS;
    private static final NodeBeat FIRST = new NodeBeat("n1", 4, 17, TERMS);

    private static DuplicateNodeWatch seen(long at) {
        return DuplicateNodeWatch.NOTHING.look(new BootTime(at), 1, FIRST);
    }

    @Test
    void oneLookProvesNothing() {
        assertThat(seen(1_000).isAtWork()).isFalse();
        assertThat(seen(1_000).isSilent(new BootTime(1_000))).isFalse();
    }

    @Test
    void anotherBeatOrIncarnationIsLifeAlsoOverAnotherSession() {
        NodeBeat beat = new NodeBeat("n1", 4, 18, TERMS);
        NodeBeat incarnation = new NodeBeat("n1", 5, 17, TERMS);

        assertThat(seen(1_000).look(new BootTime(3_000), 1, beat).isAtWork()).isTrue();
        assertThat(seen(1_000).look(new BootTime(3_000), 1, incarnation).isAtWork())
                .isTrue();
        assertThat(seen(1_000).look(new BootTime(3_000), 2, beat).isAtWork()).isTrue();
    }

    @Test
    void theSameBeatForAWholeLeaseIsSilence() {
        DuplicateNodeWatch watch = seen(1_000).look(new BootTime(9_000), 1, FIRST);

        assertThat(watch.isSilent(new BootTime(8_990))).isFalse();
        assertThat(watch.isSilent(new BootTime(9_000))).isTrue();
        assertThat(watch.isAtWork()).isFalse();
    }

    @Test
    void aNewDatabaseSessionRestartsTheCountOfSilence() {
        DuplicateNodeWatch watch = seen(1_000).look(new BootTime(9_000), 2, FIRST);

        assertThat(watch.isSilent(new BootTime(9_000))).isFalse();
    }
}
