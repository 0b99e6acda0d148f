package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.RunFacts;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;

/** A command about one run, its first argument. */
abstract class OneRunCommand extends FactsCommand {
    @Mixin
    final RunArgument run = new RunArgument();

    /** Reads facts about the run, like {@link #withFacts}. */
    final int withRun(Consumer<RunFacts> reader) {
        return withFacts(facts -> {
            run.find(facts, root);
            reader.accept(facts);
        });
    }
}
