package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.view.Pools;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper pools}. */
@Command(name = "pools", description = "List the pools of the policy with their use, or end a cool-down by hand.")
public final class PoolsCommand extends FactsCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "clear; without an action the pools are listed.")
    private Action action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "For clear, the pool.")
    private String name;

    /** The words of the command line. */
    private enum Action {
        clear
    }

    @Override
    public Integer call() {
        if (action == Action.clear) {
            clear();
            return ExitCodes.DONE;
        }
        return withFacts(facts -> print(facts.pools(), this::print));
    }

    private void clear() {
        String pool = Optional.ofNullable(name)
                .orElseThrow(() -> CommandFailure.refused("name the pool: loopkeeper pools clear NAME"));
        try (Session session = root.open()) {
            print(
                    session.requireServer()
                            .post(
                                    "/pools/" + Api.encoded(pool) + "/clear",
                                    Json.MAPPER.createObjectNode(),
                                    Pools.Entry.class),
                    cleared -> print("pool " + pool + " has no cool-down; its runs continue"));
        }
    }

    private void print(Pools found) {
        if (found.pools().isEmpty()) {
            print("the policy has no pools; see loopkeeper apply --help");
            return;
        }
        Times times = Times.here();
        Table table = new Table("POOL", "USED", "WAITING", "COOL-DOWN");
        found.pools()
                .forEach(pool -> table.add(
                        pool.name(),
                        pool.used()
                                + (pool.places().isPresent()
                                        ? " of " + pool.places().getAsInt()
                                        : ""),
                        pool.waiting() == 0 ? "-" : Amounts.count(pool.waiting(), "run"),
                        pool.coolUntil()
                                .map(until -> "until " + times.moments(until) + ": "
                                        + Words.oneLine(pool.reason().orElse("")) + " in run "
                                        + pool.runId().orElse("-"))
                                .orElse("-")));
        table.lines().forEach(this::print);
    }
}
