package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.LastingFeed;
import dev.loopkeeper.cli.print.FullScreen;
import dev.loopkeeper.cli.print.Key;
import dev.loopkeeper.cli.print.KeyPress;
import dev.loopkeeper.cli.print.RunsBoard;
import dev.loopkeeper.cli.print.RunsTable;
import dev.loopkeeper.cli.print.Screen;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows all runs, or one until it has ended, on a full screen until the user leaves it. One thread paints and processes what other threads report:
 * keys, events, and the log of the selected run.
 */
final class WatchScreen {
    private static final int MOST_RUNS = 200;
    private static final Duration FEED_LOOK = Duration.ofSeconds(30);
    private static final long AGES_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long TOGETHER_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long DETAIL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BETWEEN_PAINTS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RootCommand root;
    private final Api api;
    private final RunFacts facts;
    private final FullScreen screen;
    private final Optional<String> only;
    private final RunsBoard board;
    private final WatchActions actions;
    /** Tasks of other threads for the painting thread. */
    private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();

    /** The run whose log is requested; a newer request replaces an older one. */
    private final BlockingQueue<String> requests = new ArrayBlockingQueue<>(1);

    /** Whether the log reported new lines that are not shown yet. */
    private final AtomicBoolean more = new AtomicBoolean();

    private boolean left;
    private boolean changed = true;
    /** Whether an event arrived since the selected run was read. */
    private boolean stale = true;

    private Optional<RunDetail.Found> found = Optional.empty();
    private Optional<Document<Run>> ended = Optional.empty();
    private Optional<CommandFailure> failure = Optional.empty();
    private Optional<String> requested = Optional.empty();
    private long listedNanos = System.nanoTime() - AGES_NANOS;
    private long requestedNanos = System.nanoTime() - DETAIL_NANOS;
    private long paintedNanos = System.nanoTime() - BETWEEN_PAINTS_NANOS;

    /** @param only id of the run to show; absent for all runs */
    WatchScreen(RootCommand root, Api api, FullScreen screen, Optional<String> only) {
        this.root = root;
        this.api = api;
        this.facts = RunFacts.of(api);
        this.screen = screen;
        this.only = only;
        this.board = new RunsBoard(root.console(), api.location().url());
        this.actions = new WatchActions(root, api, board, work::add);
    }

    /** Returns the run shown alone once it has ended; empty when the user leaves before, and for all runs. */
    Optional<Document<Run>> show() {
        root.console().screen().ifPresent(terminal -> terminal.onResize(() -> work.add(screen::forget)));
        try (LastingFeed feed = LastingFeed.open(api, only)) {
            Session.daemon("loopkeeper-keys", this::readKeys);
            Session.daemon("loopkeeper-feed", () -> followFeed(feed));
            Session.daemon("loopkeeper-log", () -> read(new RunDetail(root, facts, this::logChanged)));
            while (!left) {
                paint();
                runTasks();
            }
        }
        failure.ifPresent(failed -> {
            throw failed;
        });
        return ended;
    }

    private void readKeys() {
        KeyPress press;
        do {
            press = screen.key();
            KeyPress pressed = press;
            work.add(() -> press(pressed));
        } while (!press.isEnd());
    }

    private void press(KeyPress press) {
        boolean free = board.press(press);
        left = left || press.isEnd() || (free && press.key() == Key.LEAVE);
        if (free) {
            actions.press(press.key());
        }
    }

    private void followFeed(LastingFeed feed) {
        try {
            while (true) {
                if (feed.next(FEED_LOOK).isPresent()) {
                    work.add(() -> {
                        changed = true;
                        stale = true;
                    });
                }
            }
        } catch (FeedReader.EndedException ended) {
            fail(ended.failure(api, root, only.map(id -> "watch " + id).orElse("watch")));
        } catch (CommandFailure broken) {
            fail(broken);
        }
    }

    private void fail(CommandFailure failed) {
        work.add(() -> {
            failure = Optional.of(failed);
            left = true;
        });
    }

    /** Wakes the painting thread once for all new lines. */
    private void logChanged() {
        if (more.compareAndSet(false, true)) {
            work.add(() -> more.set(false));
        }
    }

    private void read(RunDetail detail) {
        try (detail) {
            while (true) {
                RunDetail.Found seen = detail.of(requests.take());
                work.add(() -> found = Optional.of(seen));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void paint() {
        long now = System.nanoTime();
        if (now - listedNanos >= (changed ? TOGETHER_NANOS : AGES_NANOS)) {
            board.runs(rows());
            changed = false;
            listedNanos = now;
        }
        requestDetail(now);
        found.ifPresent(seen -> board.detail(seen.now()));
        paintedNanos = now;
        Screen.Size size = root.console().screen().orElseThrow().size();
        screen.show(board.lines(size, Times.here()), size);
    }

    private List<RunsTable.Row> rows() {
        return only.map(this::row).orElseGet(this::newest);
    }

    private List<RunsTable.Row> row(String runId) {
        Document<Run> run = api.look(runId);
        if (run.view().status().isEnded()) {
            ended = Optional.of(run);
            left = true;
        }
        Runs.Entry entry = new Runs.Entry(runId, Optional.of(run.view()), Optional.empty());
        return RunsCommand.rows(facts, new Runs(List.of(entry), Optional.empty()));
    }

    /** Returns the newest runs, and also all paused ones however old. */
    private List<RunsTable.Row> newest() {
        Runs newest = facts.list(Set.of(), Optional.empty(), MOST_RUNS).view();
        if (newest.nextCursor().isEmpty()) {
            return RunsCommand.rows(facts, newest);
        }
        Map<String, Runs.Entry> all = new LinkedHashMap<>();
        newest.runs().forEach(entry -> all.put(entry.runId(), entry));
        Runs paused = facts.list(Set.of(RunStatus.PAUSED.wire()), Optional.empty(), MOST_RUNS)
                .view();
        paused.runs().forEach(entry -> all.putIfAbsent(entry.runId(), entry));
        return RunsCommand.rows(facts, new Runs(List.copyOf(all.values()), newest.nextCursor()));
    }

    private void requestDetail(long now) {
        Optional<String> run = board.chosen();
        boolean due = !run.equals(requested) || (stale && now - requestedNanos >= DETAIL_NANOS);
        if (run.isPresent() && board.paneIsOpen() && due) {
            stale = false;
            requests.clear();
            requests.add(run.get());
            requested = run;
            requestedNanos = now;
        }
    }

    /** Waits for a task, or until ages have changed; then runs all waiting tasks. */
    private void runTasks() {
        try {
            long patience = changed ? TOGETHER_NANOS : DETAIL_NANOS;
            Runnable next = work.poll(patience, TimeUnit.NANOSECONDS);
            // Limits repaints, as a step may print a thousand lines a second.
            TimeUnit.NANOSECONDS.sleep(paintedNanos + BETWEEN_PAINTS_NANOS - System.nanoTime());
            while (next != null && !left) {
                next.run();
                next = work.poll();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            left = true;
        }
    }
}
