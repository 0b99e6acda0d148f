package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Request: the next part of the changes between two commits, exactly as git prints them. Callers request one part after
 * the other, and report the last one; otherwise the reader ends a minute after the last request.
 *
 * @param repository top level of a checkout
 * @param from any name of a commit
 * @param to any name of a commit
 * @param reader unique name, the same for all parts
 * @param offset of the part: 0, then after the former part
 * @param over whether no more parts are needed; the answer is empty then
 */
public record ReadDiff(Path repository, String from, String to, String reader, long offset, boolean over) {
    /** Returns the request for the part after this one. */
    public ReadDiff behind(DiffPart part) {
        return new ReadDiff(repository, from, to, reader, offset + part.bytes().length, false);
    }

    /** Returns the request that ends the reader. */
    public ReadDiff ended() {
        return new ReadDiff(repository, from, to, reader, offset, true);
    }
}
