package dev.loopkeeper.request;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant. */
public final class NearestName {
    private NearestName() {}

    /** The known name with the fewest letters to change, at most a third of its length; empty when none is near. */
    public static Optional<String> of(String given, Collection<String> known) {
        return known.stream()
                .filter(name -> distance(given, name) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Letters to insert, remove or replace, without regard to case and underscores. */
    private static int distance(String one, String other) {
        String left = plain(one);
        String right = plain(other);
        int[] previous = new int[right.length() + 1];
        for (int column = 0; column <= right.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= left.length(); row++) {
            previous = nextRow(previous, left.charAt(row - 1), right, row);
        }
        return previous[right.length()];
    }

    private static int[] nextRow(int[] previous, char letter, String right, int row) {
        int[] current = new int[previous.length];
        current[0] = row;
        for (int column = 1; column < current.length; column++) {
            int replaced = previous[column - 1] + (letter == right.charAt(column - 1) ? 0 : 1);
            current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
        }
        return current;
    }

    private static String plain(String name) {
        String shortened = name.length() > 60 ? name.substring(0, 60) : name;
        return shortened.toLowerCase(Locale.ROOT).replace("_", "");
    }
}
