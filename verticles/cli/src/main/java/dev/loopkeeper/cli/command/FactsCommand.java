package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that prints facts, for people or as JSON. */
public abstract class FactsCommand implements Callable<Integer> {
    protected final RootCommand root;

    @Mixin
    protected final JsonOption json = new JsonOption();

    protected FactsCommand(RootCommand root) {
        this.root = root;
    }
}
