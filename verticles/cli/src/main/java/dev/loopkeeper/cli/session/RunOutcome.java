package dev.loopkeeper.cli.session;

import dev.loopkeeper.view.Run;

/** Prints what a run that was followed came to. */
public final class RunOutcome {
    private final RootCommand root;
    private final boolean json;
    private final boolean reasonPrinted;

    public RunOutcome(RootCommand root, boolean json) {
        this(root, json, false);
    }

    /** @param reasonPrinted whether the line above names the reason of the run's pause or ending */
    public RunOutcome(RootCommand root, boolean json, boolean reasonPrinted) {
        this.root = root;
        this.json = json;
        this.reasonPrinted = reasonPrinted;
    }

    public void print(Document<Run> run, RunFacts facts) {
        if (json) {
            root.console().print(JsonOption.pretty(run.json()));
        } else {
            RunReport.outcome(root, run.view(), facts.advice(run.view()), reasonPrinted)
                    .forEach(root.console()::print);
        }
    }
}
