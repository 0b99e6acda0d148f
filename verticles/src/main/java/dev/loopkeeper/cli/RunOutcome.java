package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Prints what a run that was followed came to. */
final class RunOutcome {
    private final RootCommand root;
    private final boolean json;

    RunOutcome(RootCommand root, boolean json) {
        this.root = root;
        this.json = json;
    }

    void print(JsonNode run) {
        if (json) {
            root.console().print(JsonOption.pretty(run));
        } else {
            new RunReport(root, run).why().forEach(root.console()::print);
        }
    }
}
