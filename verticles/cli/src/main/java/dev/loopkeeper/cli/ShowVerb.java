package dev.loopkeeper.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loopkeeper show RUN}. */
@Command(name = "show", description = "Show one run.")
final class ShowVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Mixin
    private JsonOption json;

    ShowVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            json.print(
                    root.console(),
                    facts.run(run.id()),
                    found -> RunReport.whole(root, found).forEach(root.console()::print));
        }
        return ExitCodes.DONE;
    }
}
