package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.RunWords;
import dev.loopkeeper.cli.print.RunsTable;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper runs}. */
@Command(
        name = "runs",
        description = "List runs: those that need attention first, then the newest. --json lists the newest first.")
public final class RunsCommand extends FactsCommand {
    private static final int MOST = 1000;
    private static final List<String> KNOWN = WireName.all(RunStatus.class);

    private static final String ABANDONED = "no process executes it";

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            completionCandidates = RunsCommand.Statuses.class,
            description =
                    "Only runs that are queued, running, waiting, paused, stopping, completed, stopped or failed.")
    private Set<String> statuses = new LinkedHashSet<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most this many, 1 to 1000; default 100.")
    private int limit;

    /** The names of the statuses. */
    static final class Statuses extends ArrayList<String> {
        Statuses() {
            super(KNOWN);
        }
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MOST) {
            throw CommandFailure.refused("--limit must be 1 to " + MOST + ", was " + limit);
        }
        statuses.stream().filter(status -> !KNOWN.contains(status)).findFirst().ifPresent(RunsCommand::refuse);
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            Document<Runs> found = facts.list(statuses, Optional.empty(), limit);
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

    private static void refuse(String unknown) {
        String near = NearestName.of(unknown, KNOWN)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        throw CommandFailure.refused("--status '" + Words.shown(unknown) + "' is unknown" + near
                + "; the known ones are " + String.join(", ", KNOWN));
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
