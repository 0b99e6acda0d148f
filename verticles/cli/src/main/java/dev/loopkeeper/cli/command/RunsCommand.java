package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.LastingFeed;
import dev.loopkeeper.cli.print.Frame;
import dev.loopkeeper.cli.print.RunWords;
import dev.loopkeeper.cli.print.RunsTable;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.EnumNames;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper runs}. */
@Command(
        name = "runs",
        description = "List runs: those that need attention first, then the newest. --json lists the newest first.")
public final class RunsCommand extends FactsCommand {
    private static final int MOST = 1000;

    private static final String ABANDONED = "no process executes it";

    private static final Duration AGES = Duration.ofSeconds(10);
    private static final Duration TOGETHER = Duration.ofMillis(500);

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            converter = RunsCommand.Statuses.class,
            completionCandidates = RunsCommand.Statuses.class,
            description =
                    "Only runs that are queued, running, waiting, paused, stopping, completed, stopped or failed.")
    private Set<RunStatus> statuses = new LinkedHashSet<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most this many, 1 to 1000; default 100.")
    private int limit;

    @Option(
            names = "--watch",
            fallbackValue = "true",
            description = "Refresh until interrupted. Without a terminal, print changes only.")
    private boolean watch;

    /** The names of the statuses. */
    static final class Statuses extends EnumNames<RunStatus> {
        Statuses() {
            super(RunStatus.class);
        }
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MOST) {
            throw CommandFailure.refused("--limit must be 1 to " + MOST + ", was " + limit);
        }
        if (watch && json.wanted()) {
            throw CommandFailure.refused(
                    "--watch is for people; print events as JSON with: " + root.hint("watch --json"));
        }
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            if (watch) {
                return watch(session.requireServer(), facts);
            }
            Document<Runs> found = list(facts);
            List<ScheduleStatus> failed = facts.schedules().view().schedules().stream()
                    .filter(schedule -> schedule.attention().isPresent())
                    .toList();
            failed.forEach(schedule -> found.json()
                    .withArrayProperty("schedules")
                    .addObject()
                    .put("name", schedule.name())
                    .put("attention", schedule.attention().orElseThrow()));
            print(found, page -> print(facts, page, failed));
        }
        return ExitCodes.DONE;
    }

    private int watch(Api api, RunFacts facts) {
        try (LastingFeed feed = LastingFeed.open(api, Optional.empty());
                Frame frame = new Frame(root.console())) {
            Set<String> printed = new HashSet<>();
            Times begun = Times.here();
            while (true) {
                List<RunsTable.Row> rows = rows(facts, list(facts).view());
                List<String> lines = new RunsTable(root.console(), Times.here()).lines(rows);
                frame.show(cut(lines));
                if (root.console().screen().isEmpty()) {
                    printNew(rows, lines, begun, printed);
                }
                awaitEvents(feed);
            }
        } catch (FeedReader.EndedException ended) {
            throw ended.failure(api, root, "runs --watch");
        }
    }

    /** Prints the rows that changed; a new age alone is not a change. */
    private void printNew(List<RunsTable.Row> rows, List<String> lines, Times begun, Set<String> printed) {
        RunsTable ageless = new RunsTable(root.console(), begun);
        if (printed.isEmpty() && !rows.isEmpty()) {
            print(lines.get(0));
        }
        Set<String> before = Set.copyOf(printed);
        printed.clear();
        for (int index = 0; index < rows.size(); index++) {
            String news = ageless.lines(List.of(rows.get(index))).get(1);
            if (!before.contains(news)) {
                print(lines.get(index + 1));
            }
            printed.add(news);
        }
    }

    /**
     * Waits for an event, and then a moment for further ones; returns after ten seconds in any case, as ages change.
     */
    private static void awaitEvents(LastingFeed feed) {
        if (feed.next(AGES).isPresent()) {
            long until = System.nanoTime() + TOGETHER.toNanos();
            long left = TOGETHER.toNanos();
            while (left > 0) {
                left = feed.next(Duration.ofNanos(left)).isPresent() ? until - System.nanoTime() : 0;
            }
        }
    }

    /** Returns at most as many lines as the terminal has rows, minus one. */
    private List<String> cut(List<String> lines) {
        int most =
                root.console().screen().map(screen -> screen.size().rows() - 1).orElse(lines.size());
        return lines.size() <= most ? lines : lines.subList(0, Math.max(1, most));
    }

    private Document<Runs> list(RunFacts facts) {
        Set<String> names = statuses.stream().map(RunStatus::wire).collect(Collectors.toSet());
        return facts.list(names, Optional.empty(), limit);
    }

    /** @param failed whose newest fire failed, until a later one works */
    private void print(RunFacts facts, Runs page, List<ScheduleStatus> failed) {
        failed.forEach(schedule -> print("schedule " + schedule.name() + " did not fire: "
                + Words.shown(schedule.attention().orElseThrow())
                + "; after the correction fire it with: "
                + root.hint("schedules run " + schedule.name())));
        if (page.runs().isEmpty()) {
            root.console().err().println("no runs");
            return;
        }
        new RunsTable(root.console(), Times.here()).lines(rows(facts, page)).forEach(this::print);
        if (page.runs().stream().anyMatch(entry -> abandoned(facts, entry))) {
            warn("no process executes some of these runs; continue them with: " + root.hint("serve"));
        }
        if (page.nextCursor().isPresent()) {
            root.console().err().println("there are more runs; raise --limit");
        }
    }

    /** Returns the rows in the order of the list: runs that need attention first. */
    static List<RunsTable.Row> rows(RunFacts facts, Runs page) {
        boolean queued = page.runs().stream()
                .anyMatch(entry -> entry.run().filter(RunWords::waitsForPool).isPresent());
        Optional<Pools> pools = queued ? Optional.of(facts.pools().view()) : Optional.empty();
        Times times = Times.here();
        return RunsTable.ordered(page.runs().stream()
                .map(entry -> new RunsTable.Row(
                        entry,
                        abandoned(facts, entry)
                                ? Optional.of(ABANDONED)
                                : entry.run().flatMap(run -> RunWords.waitsForPool(run, times, () -> pools))))
                .toList());
    }

    private static boolean abandoned(RunFacts facts, Runs.Entry entry) {
        return entry.run().filter(facts::abandoned).isPresent();
    }
}
