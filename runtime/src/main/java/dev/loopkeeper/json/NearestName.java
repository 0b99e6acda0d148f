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
     * Returns the nearest known word, the first by alphabet among equally near ones. Empty when half of the letters differ,
     * or more than a third where the first letter does too, which is rarely mistyped. A word that contains the other one may
     * have as many letters more.
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
                .filter(candidate -> candidate.distance() <= allowed(folded, folded(candidate.word())))
                .min(Comparator.comparingInt(Candidate::distance)
                        .thenComparingInt(Candidate::asWritten)
                        .thenComparing(Candidate::word))
                .map(Candidate::word);
    }

    private static int allowed(String word, String candidate) {
        int letters = Math.max(word.length(), candidate.length());
        if (word.contains(candidate) || candidate.contains(word)) {
            return letters / 2;
        }
        boolean sameStart = word.charAt(0) == candidate.charAt(0);
        return sameStart ? (letters - 1) / 2 : letters / 3;
    }

    private static String folded(String word) {
        return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Counts the insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
    private static int distance(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int row = 0; row <= from.length(); row++) {
            for (int column = 0; column <= to.length(); column++) {
                rows[row][column] = row == 0 || column == 0 ? row + column : nearest(rows, row, column, from, to);
            }
        }
        return rows[from.length()][to.length()];
    }

    private static int nearest(int[][] rows, int row, int column, String from, String to) {
        char letter = from.charAt(row - 1);
        int replaced = rows[row - 1][column - 1] + (letter == to.charAt(column - 1) ? 0 : 1);
        int changed = Math.min(replaced, 1 + Math.min(rows[row - 1][column], rows[row][column - 1]));
        boolean swapped = row > 1
                && column > 1
                && letter == to.charAt(column - 2)
                && from.charAt(row - 2) == to.charAt(column - 1);
        return swapped ? Math.min(changed, rows[row - 2][column - 2] + 1) : changed;
    }
}
