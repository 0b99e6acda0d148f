package dev.loopkeeper.cli.session;

import java.time.Duration;
import java.util.Optional;

/**
 * A feed that is taken up again where it ended: a server drops who stood still for a minute, as by Ctrl-Z, and who fell
 * behind. It ends once the server does not let it begin again. Read by one thread, closed by any.
 */
public final class LastingFeed implements AutoCloseable {
    /** What ends at once is not begun more than once in this time. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final Api api;
    private final Optional<String> run;
    private volatile FeedReader feed;
    private volatile boolean closed;
    private long begunNanos;
    private boolean heard;
    private Optional<String> cursor = Optional.empty();

    private LastingFeed(Api api, Optional<String> run) {
        this.api = api;
        this.run = run;
        begin();
    }

    /**
     * Connects and waits for the snapshot, as {@link FeedReader#open} does.
     *
     * @param run only this run's events; absent: all
     */
    public static LastingFeed open(Api api, Optional<String> run) {
        return new LastingFeed(api, run);
    }

    /**
     * The next message, of snapshots the first only; empty when none comes in time, or the feed had to begin again. Fails
     * with {@link FeedReader.EndedException} after the last.
     */
    public Optional<Document<FeedMessage>> next(Duration patience) {
        try {
            return feed.next(patience).filter(this::isNews);
        } catch (FeedReader.EndedException ended) {
            again(ended);
            return Optional.empty();
        }
    }

    /** What a later snapshot shows is told by the events from the cursor on. */
    private boolean isNews(Document<FeedMessage> message) {
        boolean news = cursor.isEmpty() || !message.view().isSnapshot();
        heard = true;
        cursor = message.view().cursor().or(() -> cursor);
        return news;
    }

    private void again(FeedReader.EndedException ended) {
        feed.close();
        if (closed || !heard) {
            throw ended;
        }
        try {
            Thread.sleep(
                    Math.max(0, REST.minusNanos(System.nanoTime() - begunNanos).toMillis()));
            begin();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw ended;
        } catch (CommandFailure gone) {
            throw ended;
        }
    }

    private void begin() {
        begunNanos = System.nanoTime();
        heard = false;
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
