package dev.loopkeeper.bundle;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The names of a bundle's entries. */
final class BundlePaths {
    /** Every event, one JSON object per line. */
    static final String EVENTS = "events.jsonl";
    /** {@code {"sequence": 200, "state": "..."}}, where the store has one. */
    static final String SNAPSHOT = "snapshot.json";
    /** Every stop receipt, one JSON object per line. */
    static final String RECEIPTS = "receipts.jsonl";

    private static final String FOLDER = "files/";
    private static final Set<String> FACTS = Set.of(EVENTS, SNAPSHOT, RECEIPTS);
    private static final Pattern PART = Pattern.compile("[^/\\\\\\p{Cntrl}]{1,255}");

    private BundlePaths() {}

    /** The entry of a file of the run's folder, e.g. {@code files/steps/build.1.dev.1/stdout.log}. */
    static String ofFile(String relative) {
        return FOLDER + relative;
    }

    /**
     * Returns an entry's path in the run's folder; empty for an entry with facts. Refuses paths that lead out of the
     * folder.
     */
    static Optional<String> relative(String entry) {
        if (FACTS.contains(entry)) {
            return Optional.empty();
        }
        String relative = entry.startsWith(FOLDER) ? entry.substring(FOLDER.length()) : "";
        if (!isSafe(relative)) {
            throw new BundleException("the bundle has an entry with a forbidden name: " + shown(entry));
        }
        return Optional.of(relative);
    }

    /** Checks a path in the run's folder that another process names. Refuses a path that leads out of the folder. */
    static String checked(String relative) {
        if (!isSafe(relative)) {
            throw new BundleException("a file of a run cannot have this name: " + shown(relative));
        }
        return relative;
    }

    private static String shown(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    private static boolean isSafe(String relative) {
        return Arrays.stream(relative.split("/", -1)).allMatch(BundlePaths::isName);
    }

    private static boolean isName(String part) {
        return PART.matcher(part).matches() && !part.equals(".") && !part.equals("..");
    }
}
