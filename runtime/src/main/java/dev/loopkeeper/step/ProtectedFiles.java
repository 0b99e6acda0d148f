package dev.loopkeeper.step;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Decides which files of a workspace are protected, and which of them a step has changed. */
public final class ProtectedFiles {
    /**
     * The state of a file.
     *
     * @param facts what the system knows of it; equal facts prove an equal content. Blank where they do not
     * @param content hash of type and content; blank where it is unknown
     */
    public record State(String facts, String content) {
        public static final State ABSENT = new State("", "absent");

        boolean isSame(State other) {
            return (!facts.isEmpty() && facts.equals(other.facts))
                    || (!content.isEmpty() && content.equals(other.content));
        }
    }

    private final List<PathGlob> globs;

    /** @param globs relative to the workspace */
    public ProtectedFiles(List<String> globs) {
        this.globs = globs.stream().map(PathGlob::new).toList();
    }

    public boolean isEmpty() {
        return globs.isEmpty();
    }

    /** Whether a glob fits this name, e.g. {@code tests/a.txt}, or a folder above it. */
    public boolean cover(String name) {
        for (int end = name.length(); end > 0; end = name.lastIndexOf('/', end - 1)) {
            String part = name.substring(0, end);
            if (globs.stream().anyMatch(glob -> glob.fits(part))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the names of files that a step added, deleted or changed, in order. A renamed file has two.
     *
     * @param before by name, when the step was launched
     * @param restorable the states before a rejected step, to which a later step may return
     */
    public static List<String> changed(
            Map<String, State> before, Map<String, State> after, Map<String, State> restorable) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .filter(name -> {
                    State now = after.getOrDefault(name, State.ABSENT);
                    State earlier = restorable.get(name);
                    return !now.isSame(before.getOrDefault(name, State.ABSENT))
                            && (earlier == null || !now.isSame(earlier));
                })
                .toList();
    }
}
