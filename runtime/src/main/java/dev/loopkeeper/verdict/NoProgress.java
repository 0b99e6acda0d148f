package dev.loopkeeper.verdict;

import java.util.List;
import java.util.Optional;

/** Detects loops that repeat themselves. */
public final class NoProgress {
    private static final int LONGEST_CYCLE = 3;

    private NoProgress() {}

    /**
     * The length of the pattern that the last entries repeat: 1 (A A A), 2 (A B A B A B) or 3; empty when they differ.
     *
     * @param fingerprints oldest first
     * @param repeats required repetitions of the pattern, 0 = off
     */
    public static Optional<Integer> cycle(List<String> fingerprints, int repeats) {
        for (int length = 1; repeats > 0 && length <= LONGEST_CYCLE; length++) {
            if (repeats(fingerprints, length, repeats)) {
                return Optional.of(length);
            }
        }
        return Optional.empty();
    }

    /** Number of entries that {@link #cycle} compares. */
    public static int lookBack(int repeats) {
        return repeats * LONGEST_CYCLE;
    }

    private static boolean repeats(List<String> fingerprints, int length, int repeats) {
        int needed = length * repeats;
        if (fingerprints.size() < needed) {
            return false;
        }
        List<String> last = fingerprints.subList(fingerprints.size() - needed, fingerprints.size());
        for (int index = length; index < needed; index++) {
            if (!last.get(index).equals(last.get(index - length))) {
                return false;
            }
        }
        return true;
    }
}
