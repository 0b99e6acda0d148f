package dev.loopkeeper.json;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name nearest to a mistyped one, by edit distance; ignores letter case and separators. */
public final class NearestName {
    /** Longer words get no suggestion. */
    private static final int LONGEST = 64;

    private record Candidate(String word, int distance, int asWritten) {}

    private NearestName() {}

    /**
     * Returns the nearest known word, the first by alphabet among equally near ones. Empty when more than half of the
     * letters differ.
     */
    public static Optional<String> of(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        String folded = folded(word);
        return known.stream()
                .filter(candidate -> candidate.length() <= LONGEST)
                .map(candidate ->
                        new Candidate(candidate, distance(folded, folded(candidate)), distance(word, candidate)))
                .filter(candidate -> candidate.distance() <= allowed(folded, candidate.word()))
                .min(Comparator.comparingInt(Candidate::distance)
                        .thenComparingInt(Candidate::asWritten)
                        .thenComparing(Candidate::word))
                .map(Candidate::word);
    }

    private static int allowed(String folded, String candidate) {
        return Math.max(folded.length(), candidate.length()) / 2;
    }

    private static String folded(String word) {
        return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Counts the insertions, deletions and replacements that turn one word into the other. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            above = nextRow(above, from.charAt(row - 1), to, row);
        }
        return above[to.length()];
    }

    private static int[] nextRow(int[] above, char letter, String to, int row) {
        int[] current = new int[above.length];
        current[0] = row;
        for (int column = 1; column < above.length; column++) {
            int replaced = above[column - 1] + (letter == to.charAt(column - 1) ? 0 : 1);
            current[column] = Math.min(replaced, 1 + Math.min(above[column], current[column - 1]));
        }
        return current;
    }
}
