package dev.loopkeeper.cli.session;

import dev.loopkeeper.view.Run;

/** Prints the outcome of a followed run. */
public final class RunOutcome {
    private final RootCommand root;
    private final boolean json;
    private final boolean reasonPrinted;

    public RunOutcome(RootCommand root, boolean json) {
        this(root, json, false);
    }

    /** @param reasonPrinted whether the line above already gives the reason of the pause or the end */
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
