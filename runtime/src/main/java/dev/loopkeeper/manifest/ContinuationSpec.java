package dev.loopkeeper.manifest;

import java.util.Optional;

/**
 * Describes what a launch of an agent gets from earlier launches.
 *
 * @param context whether Loopkeeper appends earlier results to a prompt that does not name them
 * @param session whether a launch continues an earlier session
 * @param resume the command that continues a session, with {@code {{session.id}}} for its id; absent: sessions cannot
 * be continued
 * @param nudge how often Loopkeeper launches a step again because it left no valid signal, 0 to 3
 */
public record ContinuationSpec(ContextMode context, SessionMode session, Optional<CommandLine> resume, int nudge) {
    /** Earlier results in the prompt, and a new session for each launch. */
    public static final ContinuationSpec DEFAULTS =
            new ContinuationSpec(ContextMode.APPEND, SessionMode.FRESH, Optional.empty(), 0);
}
