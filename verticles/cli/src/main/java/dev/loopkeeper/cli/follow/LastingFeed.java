package dev.loopkeeper.cli.follow;

import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.Session;
import java.time.Duration;
import java.util.Optional;

/**
 * A feed that reconnects at its last cursor. A server drops a client that does not read for a minute, e.g. after
 * Ctrl-Z, or falls behind. The feed ends once the server refuses to resume it. Read by one thread, closed by any.
 */
public final class LastingFeed implements AutoCloseable {
    /** The least time between two connections. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final Api api;
    private final Optional<String> run;
    private volatile FeedReader feed;
    private volatile boolean closed;
    private long begunNanos;
    private boolean received;
    private Optional<String> cursor = Optional.empty();

    private LastingFeed(Api api, Optional<String> run) {
        this.api = api;
        this.run = run;
        begin();
    }

    /**
     * Connects and waits for the snapshot, like {@link FeedReader#open}.
     *
     * @param run receive only this run's events; empty for all runs
     */
    public static LastingFeed open(Api api, Optional<String> run) {
        return new LastingFeed(api, run);
    }

    /**
     * Returns the next message, but only the first snapshot. Empty if none arrives in time or the feed had to
     * reconnect. Fails with {@link FeedReader.EndedException} after the last one.
     */
    public Optional<Document<FeedMessage>> next(Duration patience) {
        try {
            return feed.next(patience).filter(this::isNews);
        } catch (FeedReader.EndedException ended) {
            again(ended);
            return Optional.empty();
        }
    }

    /** Skips later snapshots: the events after the cursor contain their changes. */
    private boolean isNews(Document<FeedMessage> message) {
        boolean news = cursor.isEmpty() || !message.view().isSnapshot();
        received = true;
        cursor = message.view().cursor().or(() -> cursor);
        return news;
    }

    private void again(FeedReader.EndedException ended) {
        feed.close();
        if (closed || !received) {
            throw ended;
        }
        Session.sleep(REST.minusNanos(System.nanoTime() - begunNanos), ended);
        try {
            begin();
        } catch (CommandFailure gone) {
            throw ended;
        }
    }

    private void begin() {
        begunNanos = System.nanoTime();
        received = false;
        feed = FeedReader.open(api, run, cursor);
        if (closed) {
            feed.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        feed.close();
    }
}
