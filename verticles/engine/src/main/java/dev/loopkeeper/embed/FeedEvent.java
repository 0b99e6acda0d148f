package dev.loopkeeper.embed;

import dev.loopkeeper.run.RunEvent;

/**
 * An event of the feed over all runs.
 *
 * @param cursor where the feed continues behind this event, also after a restart; rises, not necessarily by 1
 */
public record FeedEvent(long cursor, RunEvents.Recorded<RunEvent> recorded) {}
