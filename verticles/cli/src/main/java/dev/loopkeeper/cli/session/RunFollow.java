package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Follows one run by the feed until it is as wished. A feed that ends is taken up again where it ended, and a server that
 * waits for its store is waited for: what it told of the run before still holds.
 */
public final class RunFollow {
    private static final Duration LOOK_AFTER = Duration.ofSeconds(1);
    /** A store that is away for longer may not come back by itself. */
    private static final Duration AWAY = Duration.ofMinutes(1);

    private final Api api;
    private final String runId;
    private final Consumer<Document<FeedMessage>> listener;
    private final Consumer<Run> observer;
    private final Deadline deadline;
    private Optional<String> cursor = Optional.empty();
    /** Whether what was before {@link #heard} has been shown to whoever listens. */
    private boolean seen;

    private long heard;
    private long lookedNanos;

    /** A page of the history. */
    private record Events(List<JsonNode> events, long nextSince) {}

    /**
     * Follows nothing yet.
     *
     * @param listener hears each event of the run, in order, once
     * @param observer sees the run as it is, at least about every second
     */
    public RunFollow(
            Api api,
            String runId,
            Consumer<Document<FeedMessage>> listener,
            Consumer<Run> observer,
            Deadline deadline) {
        this.api = api;
        this.runId = runId;
        this.listener = listener;
        this.observer = observer;
        this.deadline = deadline;
    }

    /** Nobody hears or sees anything on the way. */
    public static RunFollow silently(Api api, String runId, Deadline deadline) {
        return new RunFollow(api, runId, event -> {}, run -> {}, deadline);
    }

    /** What happened up to this event, by its sequence, was heard before. */
    public void after(long sequence) {
        heard = sequence;
        seen = true;
    }

    /** The sequence of the newest event that was heard. */
    public long heard() {
        return heard;
    }

    /** The run as it is wished; ends the command with 124 when the deadline is first. */
    @CanIgnoreReturnValue
    public Document<Run> until(Predicate<Run> wished) {
        // There being no such run is told before anything is waited for.
        return until(look(), wished);
    }

    /** The same, after this was shown already: what happened since then is heard. */
    @CanIgnoreReturnValue
    public Document<Run> until(Document<Run> run, Predicate<Run> wished) {
        after(run.view().sequence());
        return wished.test(run.view()) ? run : until(FeedReader.open(api, Optional.of(runId), cursor), wished);
    }

    /** The same on a feed that is open already and may tell of other runs too; it is closed in the end. */
    public Document<Run> until(FeedReader open, Predicate<Run> wished) {
        FeedReader feed = open;
        while (true) {
            long openedNanos = System.nanoTime();
            try (FeedReader reading = feed) {
                return read(reading, wished);
            } catch (FeedReader.EndedException ended) {
                deadline.check(runId);
                rest(openedNanos, ended);
            }
            Document<Run> run = patiently(this::look);
            if (wished.test(run.view())) {
                return run;
            }
            feed = patiently(() -> FeedReader.open(api, Optional.of(runId), cursor));
        }
    }

    private Document<Run> read(FeedReader feed, Predicate<Run> wished) {
        Document<Run> run = patiently(this::look);
        while (!wished.test(run.view())) {
            deadline.check(runId);
            Optional<FeedMessage> message =
                    feed.next(deadline.atMost(LOOK_AFTER)).map(this::hear);
            if (worthALook(message)) {
                run = patiently(this::look);
            }
        }
        hearTheRest(feed, run.view().sequence());
        return run;
    }

    /** Also when nothing came for a while: what is asked is the run itself, not what was told of it. */
    private boolean worthALook(Optional<FeedMessage> message) {
        return System.nanoTime() - lookedNanos >= LOOK_AFTER.toNanos()
                || message.filter(told -> told.isOf(runId) && told.isAboutTheRun())
                        .isPresent();
    }

    @CanIgnoreReturnValue
    private FeedMessage hear(Document<FeedMessage> told) {
        FeedMessage message = told.view();
        begin(message.runs());
        cursor = message.cursor().or(() -> cursor);
        if (message.isOf(runId) && message.sequence() > heard) {
            heard = message.sequence();
            listener.accept(told);
        }
        return message;
    }

    /** A first snapshot stands for what was before it; a later one shows what is still to be told. */
    private void begin(List<Runs.Entry> snapshot) {
        if (cursor.isEmpty()) {
            snapshot.stream()
                    .flatMap(entry -> entry.run().stream())
                    .filter(run -> run.runId().equals(runId))
                    .forEach(run -> begin(run.sequence()));
        }
    }

    private void begin(long snapshot) {
        if (!seen) {
            heard = snapshot;
        }
        boolean more = true;
        while (more && heard < snapshot) {
            more = hearAgain();
        }
        // What the server does not have any more nobody waits for.
        heard = Math.max(heard, snapshot);
    }

    /** What happened between the first look and the feed's beginning, page by page; false when there was nothing. */
    private boolean hearAgain() {
        List<JsonNode> events = patiently(() -> api.get(Api.run(runId) + "/events?since=" + heard, Events.class))
                .view()
                .events();
        for (JsonNode event : events) {
            heard = event.path("sequence").asLong();
            listener.accept(new Document<>(event, FeedMessage.class));
        }
        return !events.isEmpty();
    }

    /** The run is known to be at this event: those up to it are on their way. */
    private void hearTheRest(FeedReader feed, long sequence) {
        Optional<Document<FeedMessage>> message = feed.next(heard < sequence ? LOOK_AFTER : Duration.ZERO);
        while (message.isPresent()) {
            hear(message.get());
            message = feed.next(heard < sequence ? LOOK_AFTER : Duration.ZERO);
        }
    }

    /** Asks again while the server waits for its store, until the deadline, and at most so long. */
    private <T> T patiently(Supplier<T> question) {
        long sinceNanos = System.nanoTime();
        while (true) {
            try {
                return question.get();
            } catch (StoreAway away) {
                deadline.check(runId);
                if (System.nanoTime() - sinceNanos >= AWAY.toNanos()) {
                    throw away;
                }
                rest(System.nanoTime(), away);
            }
        }
    }

    /** What fails at once is not begun more than once in a while. */
    private void rest(long begunNanos, RuntimeException otherwise) {
        Duration left = LOOK_AFTER.minusNanos(System.nanoTime() - begunNanos);
        try {
            Thread.sleep(Math.max(0, deadline.atMost(left).toMillis()));
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw otherwise;
        }
    }

    private Document<Run> look() {
        Document<Run> run = api.look(runId);
        lookedNanos = System.nanoTime();
        observer.accept(run.view());
        return run;
    }
}
