package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that prints facts, for people or as JSON. */
abstract class FactsCommand implements Callable<Integer> {
    final RootCommand root;

    @Mixin
    final JsonOption json = new JsonOption();

    FactsCommand(RootCommand root) {
        this.root = root;
    }
}
