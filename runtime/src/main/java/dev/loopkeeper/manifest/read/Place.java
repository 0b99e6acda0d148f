package dev.loopkeeper.manifest.read;

import dev.loopkeeper.step.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A place in the document.
 *
 * @param path for people, e.g. {@code phases[1].loop.steps[0]}
 * @param positions index among its siblings on each level; a missing key precedes its siblings
 * @param source its source position; for a missing key, that of the map
 */
record Place(String path, List<Integer> positions, SourceMap source) implements Comparable<Place> {
    /** The position of a missing key. */
    static final int MISSING = -1;

    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    static Place root(SourceMap sources) {
        return new Place("", List.of(), sources);
    }

    Place key(String key, int position) {
        String plain = path.isEmpty() ? key : path + "." + key;
        boolean isPlain = PLAIN_KEY.matcher(key).matches();
        return new Place(isPlain ? plain : path + "[" + Wording.quoted(key) + "]", with(position), source.member(key));
    }

    Place index(int index) {
        return new Place(path + "[" + index + "]", with(index), source.element(index));
    }

    private List<Integer> with(int position) {
        List<Integer> longer = new ArrayList<>(positions);
        longer.add(position);
        return List.copyOf(longer);
    }

    @Override
    public int compareTo(Place other) {
        int common = Math.min(positions.size(), other.positions.size());
        for (int level = 0; level < common; level++) {
            int order = Integer.compare(positions.get(level), other.positions.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(positions.size(), other.positions.size());
    }
}
