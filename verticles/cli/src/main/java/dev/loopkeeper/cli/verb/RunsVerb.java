package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.RunsTable;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.RunReport;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Runs;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper runs}. */
@Command(name = "runs", description = "List runs, newest first.")
public final class RunsVerb implements Callable<Integer> {
    private static final int MOST = 1000;
    private static final List<String> KNOWN = WireName.all(RunStatus.class);

    private static final String ABANDONED = "nobody carries it out";

    private final RootCommand root;

    @Option(
            names = "--status",
            split = ",",
            paramLabel = "STATUS",
            description =
                    "Only runs that are queued, running, waiting, paused, stopping, completed, stopped or failed.")
    private Set<String> statuses = new LinkedHashSet<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many, 1 to 1000; default 100.")
    private int limit;

    @Mixin
    private JsonOption json;

    public RunsVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MOST) {
            throw CommandFailure.refused("--limit must be 1 to " + MOST + ", was " + limit);
        }
        statuses.stream().filter(status -> !KNOWN.contains(status)).findFirst().ifPresent(RunsVerb::refuse);
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            json.print(root.console(), facts.list(statuses, limit), page -> print(facts, page));
        }
        return ExitCodes.DONE;
    }

    private static void refuse(String unknown) {
        String near = NearestName.of(unknown, KNOWN)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        throw CommandFailure.refused("--status does not know '" + Words.shown(unknown) + "'" + near + "; known are "
                + String.join(", ", KNOWN));
    }

    private void print(RunFacts facts, Runs page) {
        if (page.runs().isEmpty()) {
            root.console().err().println("no runs");
            return;
        }
        table(facts, page).forEach(root.console()::print);
        if (page.runs().stream().anyMatch(facts::abandoned)) {
            root.console().warn("what nobody carries out goes on with: " + root.hint("serve"));
        }
        if (page.nextCursor().isPresent()) {
            root.console().err().println("there are more; raise --limit");
        }
    }

    private List<String> table(RunFacts facts, Runs page) {
        return new RunsTable(root.console(), Times.here())
                .lines(page.runs().stream()
                        .map(entry -> new RunsTable.Row(entry, note(facts, entry)))
                        .toList());
    }

    private static Optional<String> note(RunFacts facts, Runs.Entry entry) {
        if (facts.abandoned(entry)) {
            return Optional.of(ABANDONED);
        }
        return entry.run().flatMap(run -> RunReport.resumeOptions(run)
                .flatMap(options -> run.termination()
                        .map(ended -> Words.shown(ended.summary()) + "; resume with " + options)));
    }
}
