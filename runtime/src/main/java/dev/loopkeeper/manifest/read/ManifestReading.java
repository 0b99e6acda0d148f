package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.Manifest;
import java.util.List;

/** What reading a manifest gave. */
public sealed interface ManifestReading {
    /** A manifest that can be carried out as far as its own text tells. */
    record Valid(Manifest manifest) implements ManifestReading {}

    /**
     * A document that is no manifest.
     *
     * @param problems all that is wrong, in the order of the document, at least one
     */
    record Invalid(List<ManifestProblem> problems) implements ManifestReading {}
}
