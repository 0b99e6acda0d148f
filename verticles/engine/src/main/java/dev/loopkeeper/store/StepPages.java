package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads steps of a run by their events, without reading other events. A step's position is the sequence of the event
 * that records its start.
 */
public final class StepPages {
    private static final String STARTED = "step.started";
    private static final String FINISHED = "step.finished";
    private static final String COMMITTED = "workspace.committed";
    private static final int CHUNK = 500;
    private static final int LEAST = 16;

    /** Limit of the results of one page as JSON. */
    private static final int MOST_BYTES = 4 << 20;

    private final Vertx vertx;
    private final EventStore store;
    private final EventPages events;

    /** Reads from this store. */
    public StepPages(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
        this.events = new EventPages(store);
    }

    /**
     * Selects the oldest steps after a position, or the newest before one.
     *
     * @param since absent: select by {@code before}
     * @param before absent: the newest of all
     * @param limit 1 or more
     */
    public record Range(OptionalLong since, OptionalLong before, int limit) {
        /** Cursor of the first page, oldest first. */
        public static final String OLDEST = after(0);

        /** Cursor of the last page, whose following pages lead to the oldest. */
        public static final String NEWEST = until(999_999_999_999_999_999L);

        private static final Pattern CURSOR = Pattern.compile("(after|before)-(\\d{1,18})");

        /** Parses a {@link StepPage#nextCursor}; empty for other texts. */
        public static Optional<Range> of(String cursor, int limit) {
            Matcher parts = CURSOR.matcher(cursor);
            if (!parts.matches()) {
                return Optional.empty();
            }
            OptionalLong position = OptionalLong.of(Long.parseLong(parts.group(2)));
            return Optional.of(
                    parts.group(1).equals("after")
                            ? new Range(position, OptionalLong.empty(), limit)
                            : new Range(OptionalLong.empty(), position, limit));
        }

        private static String after(long sequence) {
            return "after-" + sequence;
        }

        private static String until(long sequence) {
            return "before-" + sequence;
        }
    }

    /**
     * Returns steps of one run, oldest first; fewer than the limit if they exceed {@link #MOST_BYTES}, but at least
     * one.
     *
     * @param open ids of steps known to be running, whose end is not searched
     * @param pid process id of a running step
     */
    public Future<StepPage> page(String runId, Range range, Set<String> open, Function<String, OptionalLong> pid) {
        return new Page(runId, range, open, pid).read();
    }

    /** A page that is being read. */
    private final class Page {
        private final String runId;
        private final Range range;
        private final Set<String> open;
        private final Function<String, OptionalLong> pid;
        private final boolean forwards;

        Page(String runId, Range range, Set<String> open, Function<String, OptionalLong> pid) {
            this.runId = runId;
            this.range = range;
            this.open = open;
            this.pid = pid;
            this.forwards = range.since().isPresent();
        }

        /** Reads one more than the limit, to know whether there are more. */
        Future<StepPage> read() {
            int limit = range.limit() + 1;
            EventQuery query = forwards
                    ? EventQuery.oldest(runId, Set.of(STARTED), range.since().getAsLong(), limit)
                    : EventQuery.newest(runId, Set.of(STARTED), range.before().orElse(Long.MAX_VALUE), limit);
            List<PositionedEvent> starts = new ArrayList<>();
            return events.each(query, part -> {
                        starts.addAll(part);
                        return Future.succeededFuture(true);
                    })
                    .compose(read -> starts.isEmpty()
                            ? Future.succeededFuture(new StepPage(List.of(), Optional.empty()))
                            : fitting(starts, Math.min(range.limit(), starts.size())));
        }

        /** Reads the ends of these steps; of half of them if they are too large together. */
        private Future<StepPage> fitting(List<PositionedEvent> found, int count) {
            List<PositionedEvent> starts = new ArrayList<>(found.subList(0, count));
            if (!forwards) {
                Collections.reverse(starts);
            }
            return vertx.executeBlocking(() -> new Ends(runId, starts, open), false)
                    .compose(ends -> ends.read()
                            .compose(read -> ends.tooLarge() && count > 1
                                    ? fitting(found, count / 2)
                                    : Future.succeededFuture(page(starts, ends, found.size() > count))));
        }

        private StepPage page(List<PositionedEvent> starts, Ends ends, boolean more) {
            long first = starts.get(0).event().sequence();
            long last = starts.get(starts.size() - 1).event().sequence();
            String next = forwards ? Range.after(last) : Range.until(first);
            return new StepPage(ends.view.steps(pid), more ? Optional.of(next) : Optional.empty());
        }
    }

    /** Steps with their ends. A step's end mostly follows soon after its start, so one read usually finds all. */
    private final class Ends {
        private final String runId;
        private final StepsView view;
        private final Set<String> unfinished = new HashSet<>();
        private final long begin;
        private long bytes;

        Ends(String runId, List<PositionedEvent> starts, Set<String> open) {
            this.runId = runId;
            this.view = new StepsView(runId);
            this.begin = starts.get(0).event().sequence();
            starts.forEach(start -> {
                StepPages.add(view, start.event());
                unfinished.add(stepId(start.event()));
            });
            unfinished.removeAll(open);
        }

        boolean tooLarge() {
            return bytes > MOST_BYTES;
        }

        Future<Void> read() {
            // Ends of other steps lie in between.
            int rows = Math.min(CHUNK, LEAST + 2 * unfinished.size());
            return unfinished.isEmpty()
                    ? Future.succeededFuture()
                    : store.events(EventQuery.oldest(runId, Set.of(FINISHED), begin, rows))
                            .compose(this::take);
        }

        private Future<Void> take(List<PositionedEvent> found) {
            if (found.isEmpty()) {
                return Future.succeededFuture();
            }
            long behind = found.get(found.size() - 1).event().sequence();
            return vertx.executeBlocking(() -> add(found), false)
                    .compose(more -> more
                            ? store.events(EventQuery.oldest(runId, Set.of(FINISHED), behind, CHUNK))
                                    .compose(this::take)
                            : Future.succeededFuture());
        }

        /** Returns whether to continue reading. */
        private boolean add(List<PositionedEvent> found) {
            for (PositionedEvent end : found) {
                if (unfinished.remove(stepId(end.event()))) {
                    bytes += end.event().data().toString().length();
                    StepPages.add(view, end.event());
                }
            }
            return !unfinished.isEmpty() && !tooLarge();
        }
    }

    /**
     * Returns one step; empty if the run has no such step. Searches backwards, since it is usually one of the last, and
     * its end after its start.
     */
    public Future<Optional<Step>> find(String runId, String stepId, Function<String, OptionalLong> pid) {
        return store.events(EventQuery.newestAbout(runId, Set.of(STARTED), stepId))
                .compose(starts -> {
                    if (starts.isEmpty()) {
                        return Future.succeededFuture(Optional.empty());
                    }
                    long begin = starts.get(0).event().sequence();
                    return store.events(EventQuery.oldestAbout(runId, Set.of(FINISHED), stepId, begin))
                            .compose(ends -> areOf(stepId, starts) && areOf(stepId, ends)
                                    ? Future.succeededFuture(step(runId, starts, ends, pid))
                                    : findAmongAll(runId, stepId, pid));
                });
    }

    /** Another step may name this one, or its item may have this name. */
    private Future<Optional<Step>> findAmongAll(String runId, String stepId, Function<String, OptionalLong> pid) {
        List<PositionedEvent> own = new ArrayList<>();
        return events.each(EventQuery.about(runId, Set.of(STARTED, FINISHED), stepId), part -> {
                    part.stream().filter(event -> areOf(stepId, List.of(event))).forEach(own::add);
                    return Future.succeededFuture(true);
                })
                .map(read -> step(runId, own, List.of(), pid));
    }

    /** Two commits of a run. */
    public record Commits(String from, String to) {}

    /** Returns the commits before and after a step; twice the head of the run if the step changed nothing. */
    public Future<Commits> commits(String runId, String stepId, GitWork git) {
        AtomicReference<Commits> commits = new AtomicReference<>();
        return events.each(EventQuery.about(runId, Set.of(COMMITTED), stepId), part -> {
                    part.stream()
                            .map(PositionedEvent::event)
                            .filter(event -> stepId(event).equals(stepId))
                            .findFirst()
                            .map(StoredEvent::data)
                            .ifPresent(commit -> commits.set(new Commits(
                                    commit.path("from").asText(),
                                    commit.path("commit").asText())));
                    return Future.succeededFuture(commits.get() == null);
                })
                .map(read -> commits.get() == null ? new Commits(git.head(), git.head()) : commits.get());
    }

    private static boolean areOf(String stepId, List<PositionedEvent> found) {
        return found.stream().allMatch(event -> stepId(event.event()).equals(stepId));
    }

    private static Optional<Step> step(
            String runId,
            List<PositionedEvent> starts,
            List<PositionedEvent> ends,
            Function<String, OptionalLong> pid) {
        StepsView view = new StepsView(runId);
        starts.forEach(event -> add(view, event.event()));
        ends.forEach(event -> add(view, event.event()));
        return view.steps(pid).stream().findFirst();
    }

    private static void add(StepsView view, StoredEvent event) {
        view.add(event.type(), event.data(), event.at(), event.execution());
    }

    private static String stepId(StoredEvent event) {
        return event.data().path("stepId").asText();
    }
}
