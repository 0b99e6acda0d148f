package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Question: the next part of what changed between two commits, byte by byte as git says it. Whoever asks does so for one part
 * after the other, and says when there will be no further question; else the reader is ended a minute after the last one.
 *
 * @param repository the top level of a checkout
 * @param from any name of a commit
 * @param to any name of a commit
 * @param reader a name that nobody else uses, the same for all parts
 * @param offset where the part begins: 0, then behind the part before
 * @param over whether nothing more is wanted; the answer is empty then
 */
public record ReadDiff(Path repository, String from, String to, String reader, long offset, boolean over) {
    /** For the part behind this one. */
    public ReadDiff behind(DiffPart part) {
        return new ReadDiff(repository, from, to, reader, offset + part.bytes().length, false);
    }

    /** To end it. */
    public ReadDiff ended() {
        return new ReadDiff(repository, from, to, reader, offset, true);
    }
}
