package dev.loopkeeper.manifest.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects problems during the reading. */
final class Problems {
    /** Bounds the memory that a hostile document can take. */
    private static final int MOST = 500;

    private record Placed(Place place, ManifestProblem problem) {}

    private final List<Placed> found = new ArrayList<>();

    void add(Place place, String message) {
        add(place, message, Optional.empty());
    }

    void add(Place place, String message, Optional<String> suggestion) {
        add(place, place.source().value(), message, suggestion);
    }

    /** Notes a problem of the key itself. */
    void addAtKey(Place place, String message, Optional<String> suggestion) {
        add(place, place.source().key(), message, suggestion);
    }

    private void add(Place place, SourcePosition position, String message, Optional<String> suggestion) {
        if (found.size() < MOST) {
            found.add(new Placed(place, new ManifestProblem(place.path(), position, message, suggestion)));
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    List<ManifestProblem> inDocumentOrder() {
        return found.stream()
                .sorted(Comparator.comparing(Placed::place))
                .map(Placed::problem)
                .toList();
    }
}
