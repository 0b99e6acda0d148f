package dev.loopkeeper.cli.session;

import dev.loopkeeper.view.Run;

/** Prints what a run that was followed came to. */
public final class RunOutcome {
    private final RootCommand root;
    private final boolean json;

    public RunOutcome(RootCommand root, boolean json) {
        this.root = root;
        this.json = json;
    }

    public void print(Document<Run> run, RunFacts facts) {
        if (json) {
            root.console().print(JsonOption.pretty(run.json()));
        } else {
            RunReport.outcome(root, run.view(), facts.advice(run.view())).forEach(root.console()::print);
        }
    }
}
