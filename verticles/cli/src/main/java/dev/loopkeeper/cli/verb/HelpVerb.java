package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code loopkeeper help}: what {@code --help} prints. */
@Command(name = "help", description = "Show the help of a verb, or the list of all.")
public final class HelpVerb implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(paramLabel = "VERB", arity = "0..1", description = "Which; default the list of all.")
    private String verb;

    public HelpVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandLine all = root.commandLine();
        CommandLine asked = verb == null ? all : all.getSubcommands().get(verb);
        if (asked == null) {
            throw new UnmatchedArgumentException(all, List.of(verb));
        }
        asked.usage(all.getOut());
        return ExitCodes.DONE;
    }
}
