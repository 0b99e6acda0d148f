package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Follows one run by the feed until it is as wished. A feed that ends is taken up again where it ended. */
final class RunFollow {
    private static final Duration LOOK_AFTER = Duration.ofSeconds(1);

    private final Api api;
    private final String runId;
    private final Consumer<JsonNode> ear;
    private final Consumer<Run> eye;
    private final Deadline deadline;
    private Optional<String> cursor = Optional.empty();
    private long heard;
    private long lookedNanos;

    /**
     * Follows nothing yet.
     *
     * @param ear hears each event of the run, in order, once
     * @param eye sees the run as it is, at least about every second
     */
    RunFollow(Api api, String runId, Consumer<JsonNode> ear, Consumer<Run> eye, Deadline deadline) {
        this.api = api;
        this.runId = runId;
        this.ear = ear;
        this.eye = eye;
        this.deadline = deadline;
    }

    /** Nobody hears or sees anything on the way. */
    static RunFollow silently(Api api, String runId, Deadline deadline) {
        return new RunFollow(api, runId, event -> {}, run -> {}, deadline);
    }

    /** The run as it is wished; ends the command with 124 when the deadline is first. */
    @CanIgnoreReturnValue
    Document<Run> until(Predicate<Run> wished) {
        // There being no such run is told before anything is waited for.
        Document<Run> run = look();
        return wished.test(run.view()) ? run : until(FeedReader.open(api, Optional.of(runId), cursor), wished);
    }

    /** The same on a feed that is open already and may tell of other runs too; it is closed in the end. */
    Document<Run> until(FeedReader open, Predicate<Run> wished) {
        FeedReader feed = open;
        while (true) {
            try (FeedReader reading = feed) {
                return read(reading, wished);
            } catch (FeedReader.EndedException ended) {
                deadline.check(runId);
            }
            Document<Run> run = look();
            if (wished.test(run.view())) {
                return run;
            }
            feed = FeedReader.open(api, Optional.of(runId), cursor);
        }
    }

    private Document<Run> read(FeedReader feed, Predicate<Run> wished) {
        Document<Run> run = look();
        while (!wished.test(run.view())) {
            deadline.check(runId);
            JsonNode message = feed.next(deadline.atMost(LOOK_AFTER));
            hear(message);
            if (worthALook(message)) {
                run = look();
            }
        }
        hearTheRest(feed, run.view().sequence());
        return run;
    }

    /** Also when nothing came for a while: what is asked is the run itself, not what was told of it. */
    private boolean worthALook(JsonNode message) {
        return System.nanoTime() - lookedNanos >= LOOK_AFTER.toNanos()
                || (isMine(message) && message.path("type").asText().startsWith("run."));
    }

    private boolean isMine(JsonNode message) {
        return message.path("runId").asText().equals(runId);
    }

    private void hear(JsonNode message) {
        if (message.path("type").asText().equals("snapshot")) {
            begin(message);
        }
        if (message.hasNonNull("cursor")) {
            cursor = Optional.of(message.get("cursor").asText());
        }
        if (isMine(message) && message.path("sequence").asLong() > heard) {
            heard = message.path("sequence").asLong();
            ear.accept(message);
        }
    }

    /** A first snapshot stands for what was before it; a later one shows what is still to be told. */
    private void begin(JsonNode snapshot) {
        for (JsonNode run : snapshot.path("runs")) {
            if (cursor.isEmpty() && isMine(run)) {
                heard = run.path("sequence").asLong();
            }
        }
    }

    /** The run is known to be at this event: those up to it are on their way. */
    private void hearTheRest(FeedReader feed, long sequence) {
        JsonNode message = feed.next(heard < sequence ? LOOK_AFTER : Duration.ZERO);
        while (!message.isMissingNode()) {
            hear(message);
            message = feed.next(heard < sequence ? LOOK_AFTER : Duration.ZERO);
        }
    }

    private Document<Run> look() {
        Document<Run> run = api.look(runId);
        lookedNanos = System.nanoTime();
        eye.accept(run.view());
        return run;
    }
}
