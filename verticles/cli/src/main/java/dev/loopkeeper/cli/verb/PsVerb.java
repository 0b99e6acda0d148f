package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.process.LiveProcess;
import dev.loopkeeper.contract.process.ProcessList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loopkeeper ps}. */
@Command(name = "ps", description = "List the agents that run now.")
public final class PsVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private JsonOption json;

    public PsVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            json.print(
                    root.console(),
                    session.requireServer().get("/processes", ProcessList.class),
                    found -> print(found.processes()));
        }
        return ExitCodes.DONE;
    }

    private void print(List<LiveProcess> processes) {
        if (processes.isEmpty()) {
            root.console().err().println("no agents");
            return;
        }
        Table table = new Table("RUN", "STEP", "ROLE", "PID", "STATE", "COMMAND");
        processes.forEach(process -> table.add(
                process.runId(),
                process.stepId(),
                process.role(),
                Long.toString(process.pid()),
                process.state(),
                Words.oneLine(process.command())));
        table.lines().forEach(root.console()::print);
    }
}
