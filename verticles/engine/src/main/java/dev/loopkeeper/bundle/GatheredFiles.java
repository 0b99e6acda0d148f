package dev.loopkeeper.bundle;

import dev.loopkeeper.data.AtomicFile;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of one run from several places. If two have the same step, the later place wins. Each path is untrusted and
 * checked; a bad one fails with {@link BundleException}.
 */
public final class GatheredFiles {
    private static final String STEPS = "steps/";

    private final SortedMap<String, AtomicFile.Content> all = new TreeMap<>();
    private final SortedMap<String, AtomicFile.Content> here = new TreeMap<>();
    private int count;
    private long bytes;

    /** Adds a file of the current place. */
    public void add(String path, long length, AtomicFile.Content content) {
        count++;
        bytes += Math.max(0, length);
        boolean fits = length >= 0
                && length <= BundleLimits.UNREAD.totalBytes()
                && bytes <= BundleLimits.UNREAD.totalBytes()
                && count <= BundleLimits.UNREAD.entries();
        if (!fits) {
            throw new BundleException("the run has more files than fit into a bundle: " + BundleLimits.UNREAD.entries()
                    + " of " + BundleLimits.UNREAD.totalBytes() + " bytes in all");
        }
        here.put(BundlePaths.checked(path), content);
    }

    /** Adds all files of the current place. */
    public void addAll(SortedMap<String, AtomicFile.Content> files) {
        here.putAll(files);
    }

    /** Begins the files of the next place. */
    public void next() {
        Set<String> parts = new HashSet<>();
        here.keySet().forEach(path -> parts.add(part(path)));
        all.keySet().removeIf(path -> parts.contains(part(path)));
        all.putAll(here);
        here.clear();
    }

    /** Everything, by its path. */
    public SortedMap<String, AtomicFile.Content> all() {
        next();
        return all;
    }

    /** Returns the unit that is taken from one place only: a step's folder, or else one file. */
    private static String part(String path) {
        int end = path.startsWith(STEPS) ? path.indexOf('/', STEPS.length()) : -1;
        return end < 0 ? path : path.substring(0, end);
    }
}
