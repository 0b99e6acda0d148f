package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.Manifest;
import java.util.List;

/** The result of reading a manifest. */
public sealed interface ManifestReading {
    /** A manifest that is valid as far as its own text shows. */
    record Valid(Manifest manifest) implements ManifestReading {}

    /**
     * A document that is not a valid manifest.
     *
     * @param problems all problems in the order of the document, at least one
     */
    record Invalid(List<ManifestProblem> problems) implements ManifestReading {}
}
