package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code loopkeeper ps}. */
@Command(name = "ps", description = "List the agents and git commands that run now.")
public final class PsCommand extends FactsCommand {
    @Mixin
    private final ProcessChoice choice = new ProcessChoice();

    /** @param unanswered nodes that did not answer; empty without a cluster */
    private record Listed(List<Entry> processes, Optional<List<String>> unanswered) {}

    private record Entry(
            String runId, String stepId, String role, long pid, String command, String state, Optional<String> node) {}

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Api server = session.requireServer();
            Document<Listed> found = server.get("/processes" + choice.query(session, root), Listed.class);
            if (found.view().processes().isEmpty()) {
                choice.foundNothing();
            }
            print(found, this::print);
        }
        return ExitCodes.DONE;
    }

    private void print(Listed found) {
        if (found.processes().isEmpty()) {
            root.console().err().println("no agents");
        } else {
            table(found).lines().forEach(this::print);
        }
        ProcessChoice.warnOfSilent(root.console(), found.unanswered());
    }

    private static Table table(Listed found) {
        boolean cluster = found.unanswered().isPresent();
        List<String> headings = new ArrayList<>(List.of("RUN", "STEP", "ROLE", "NODE", "PID", "STATE", "COMMAND"));
        headings.removeIf(heading -> !cluster && heading.equals("NODE"));
        Table table = new Table(headings.toArray(String[]::new));
        for (Entry process : found.processes()) {
            List<String> cells = new ArrayList<>(List.of(process.runId(), process.stepId(), process.role()));
            if (cluster) {
                cells.add(process.node().map(Words::oneLine).orElse("-"));
            }
            cells.addAll(List.of(Long.toString(process.pid()), process.state(), Words.oneLine(process.command())));
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }
}
