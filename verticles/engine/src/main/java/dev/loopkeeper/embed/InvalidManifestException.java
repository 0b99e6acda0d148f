package dev.loopkeeper.embed;

import dev.loopkeeper.manifest.read.ManifestProblem;
import java.util.List;
import java.util.stream.Collectors;

/** A manifest, or a file or program that it names, or a policy cannot be used. Nothing was recorded. */
public final class InvalidManifestException extends LoopkeeperException {
    private final transient List<ManifestProblem> problems;

    InvalidManifestException(List<ManifestProblem> problems) {
        super(problems.stream().map(ManifestProblem::text).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems, at least one: first those of the text, then those of the files it names. */
    public List<ManifestProblem> problems() {
        return problems;
    }
}
