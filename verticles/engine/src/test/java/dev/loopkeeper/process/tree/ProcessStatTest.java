package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static final String TAIL = " 1 42 43 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3";

    @Test
    void readsWhatIsNeeded() {
        assertThat(ProcessStat.parse("44 (sh) S" + TAIL)).hasValue(new ProcessStat(44, 'S', 1, 42, 43, 987654));
    }

    @Test
    void isNotFooledByTheNameOfAProgram() {
        assertThat(ProcessStat.parse("44 (a) Z 7 (b) S" + TAIL)).hasValue(new ProcessStat(44, 'S', 1, 42, 43, 987654));
    }

    @Test
    void aZombieIsDead() {
        assertThat(ProcessStat.parse("44 (sh) Z" + TAIL).orElseThrow().living()).isFalse();
        assertThat(ProcessStat.parse("44 (sh) D" + TAIL).orElseThrow().living()).isTrue();
    }

    @Test
    void whatIsCutShortIsNothing() {
        assertThat(ProcessStat.parse("")).isEmpty();
        assertThat(ProcessStat.parse("44 (sh) S 1 42 43")).isEmpty();
    }
}
