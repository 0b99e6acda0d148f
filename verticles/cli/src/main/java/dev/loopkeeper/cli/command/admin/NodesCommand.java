package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.view.Node;
import java.util.List;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper nodes}. */
@Command(name = "nodes", description = "List the nodes that execute runs; without a cluster there is one, the server.")
public final class NodesCommand extends FactsCommand {
    /** The answer of {@code GET /nodes}. */
    record Nodes(List<Node> nodes) {}

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            print(session.requireServer().get("/nodes", Nodes.class), this::print);
        }
        return ExitCodes.DONE;
    }

    private void print(Nodes found) {
        Table table = new Table("NODE", "STATE", "RUNS", "SLOTS", "URL", "VERSION");
        found.nodes()
                .forEach(node -> table.add(
                        Words.oneLine(node.node()) + (node.self() ? " (this server)" : ""),
                        state(node),
                        node.load().runs().isPresent() ? "" + node.load().runs().getAsInt() : "-",
                        node.load().places().isPresent()
                                ? "" + node.load().places().getAsInt()
                                : "no limit",
                        node.url().map(Words::oneLine).orElse("-"),
                        Words.oneLine(node.version())));
        table.lines().forEach(this::print);
    }

    /** Returns e.g. {@code silent 3m 00s}. */
    private static String state(Node node) {
        return node.state().wire()
                + (node.silentMillis().isPresent()
                        ? " " + Words.duration(node.silentMillis().getAsLong())
                        : "");
    }
}
