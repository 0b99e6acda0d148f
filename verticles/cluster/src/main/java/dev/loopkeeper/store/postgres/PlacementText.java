package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Placement;
import java.util.Optional;

/** Database text of a placement: {@code node:n1} or {@code root:/srv/work}. */
final class PlacementText {
    private static final String NODE = "node:";
    private static final String ROOT = "root:";

    private PlacementText() {}

    static String of(Placement placement) {
        return placement instanceof Placement.Pinned pinned
                ? NODE + pinned.node()
                : ROOT + ((Placement.Shared) placement).root();
    }

    /** Returns empty for null and for a text of a newer version. */
    static Optional<Placement> parse(String text) {
        if (text != null && text.startsWith(NODE)) {
            return Optional.of(new Placement.Pinned(text.substring(NODE.length())));
        }
        return text != null && text.startsWith(ROOT)
                ? Optional.of(new Placement.Shared(text.substring(ROOT.length())))
                : Optional.empty();
    }
}
