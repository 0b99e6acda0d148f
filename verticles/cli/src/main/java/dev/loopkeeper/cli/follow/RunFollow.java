package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Follows one run by the feed until it satisfies a condition. Reconnects a feed that ends. Retries while the server's
 * store is unavailable.
 */
public final class RunFollow {
    private static final Duration READ_INTERVAL = Duration.ofSeconds(1);

    private final Api api;
    private final String runId;
    private final Consumer<Document<FeedMessage>> listener;
    private final Consumer<Run> observer;
    private final Deadline deadline;
    private Optional<String> cursor = Optional.empty();
    /** Whether the listener already knows the events before {@link #received}. */
    private boolean seen;

    private long received;
    private long readNanos;

    /** A page of the history. */
    private record Events(List<JsonNode> events, long nextSince) {}

    /**
     * Creates a follower, without connecting.
     *
     * @param listener receives each event of the run once, in order
     * @param observer receives the current run at least about every second
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

    /** Creates a follower without listener and observer. */
    public static RunFollow silently(Api api, String runId, Deadline deadline) {
        return new RunFollow(api, runId, event -> {}, run -> {}, deadline);
    }

    /** Skips the events up to this sequence, as the caller has already shown them. */
    public void after(long sequence) {
        received = sequence;
        seen = true;
    }

    /** Returns the sequence of the newest event that was received. */
    public long received() {
        return received;
    }

    /**
     * Waits until the run satisfies the condition and returns it. Ends the command with code 124 if the deadline passes
     * first.
     */
    @CanIgnoreReturnValue
    public Document<Run> until(Predicate<Run> condition) {
        // Reading the run first reports an unknown run before any waiting.
        return until(patiently(this::readRun), condition);
    }

    /** Waits like {@link #until(Predicate)}, starting from this run, which the caller has already shown. */
    @CanIgnoreReturnValue
    public Document<Run> until(Document<Run> run, Predicate<Run> condition) {
        after(run.view().sequence());
        return condition.test(run.view()) ? run : until(openFeed(), condition);
    }

    /**
     * Waits like {@link #until(Predicate)}, on an open feed that may have events of other runs too. Closes the feed.
     */
    public Document<Run> until(FeedReader open, Predicate<Run> condition) {
        FeedReader feed = open;
        while (true) {
            long openedNanos = System.nanoTime();
            try (FeedReader reading = feed) {
                return read(reading, condition);
            } catch (FeedReader.EndedException ended) {
                deadline.check(runId);
                RepeatedRequest.rest(openedNanos, deadline, ended);
            }
            Document<Run> run = patiently(this::readRun);
            if (condition.test(run.view())) {
                return run;
            }
            feed = openFeed();
        }
    }

    private Document<Run> read(FeedReader feed, Predicate<Run> condition) {
        Document<Run> run = patiently(this::readRun);
        while (!condition.test(run.view())) {
            deadline.check(runId);
            Optional<FeedMessage> message =
                    feed.next(deadline.atMost(READ_INTERVAL)).map(this::receive);
            if (isReadDue(message)) {
                run = patiently(this::readRun);
            }
        }
        receiveRest(feed, run.view().sequence());
        return run;
    }

    /** Returns whether to read the run again: after an event of the run, and about every second in any case. */
    private boolean isReadDue(Optional<FeedMessage> message) {
        return System.nanoTime() - readNanos >= READ_INTERVAL.toNanos()
                || message.filter(event -> event.isOf(runId) && event.isAboutTheRun())
                        .isPresent();
    }

    @CanIgnoreReturnValue
    private FeedMessage receive(Document<FeedMessage> document) {
        FeedMessage message = document.view();
        begin(message.runs());
        cursor = message.cursor().or(() -> cursor);
        if (message.isOf(runId) && message.sequence() > received) {
            received = message.sequence();
            listener.accept(document);
        }
        return message;
    }

    /** Uses only the first snapshot; the changes in later ones also arrive as events. */
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
            received = snapshot;
        }
        boolean more = true;
        while (more && received < snapshot) {
            more = receivePage();
        }
        // Events that the server no longer has are skipped.
        received = Math.max(received, snapshot);
    }

    /**
     * Reads a page of the events between the first read of the run and the start of the feed. Returns false if it is
     * empty.
     */
    private boolean receivePage() {
        List<JsonNode> events = patiently(() -> api.get(Api.run(runId) + "/events?since=" + received, Events.class))
                .view()
                .events();
        for (JsonNode event : events) {
            received = event.path("sequence").asLong();
            listener.accept(new Document<>(event, FeedMessage.class));
        }
        return !events.isEmpty();
    }

    /** Receives the remaining events up to this sequence, which the run is known to have reached. */
    private void receiveRest(FeedReader feed, long sequence) {
        Optional<Document<FeedMessage>> message = feed.next(received < sequence ? READ_INTERVAL : Duration.ZERO);
        while (message.isPresent()) {
            receive(message.get());
            message = feed.next(received < sequence ? READ_INTERVAL : Duration.ZERO);
        }
    }

    private FeedReader openFeed() {
        return patiently(() -> FeedReader.open(api, Optional.of(runId), cursor));
    }

    /** See {@link RepeatedRequest}. */
    private <T> T patiently(Supplier<T> request) {
        return RepeatedRequest.retry(deadline, runId, request);
    }

    private Document<Run> readRun() {
        Document<Run> run = api.look(runId);
        readNanos = System.nanoTime();
        observer.accept(run.view());
        return run;
    }
}
