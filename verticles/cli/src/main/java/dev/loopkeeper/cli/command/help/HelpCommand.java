package dev.loopkeeper.cli.command.help;

import dev.loopkeeper.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code loopkeeper help}, which prints the same as {@code --help}. */
@Command(name = "help", description = "Show the help of a command, or the list of all.")
public final class HelpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Returns the command; shells complete its parameter with the names of the other commands. */
    public static CommandSpec spec() {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new HelpCommand());
        return spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("0..1")
                .type(String.class)
                .paramLabel("COMMAND")
                .description("The command; default: the list of all commands.")
                .completionCandidates(() -> Completes.visible(spec.root().commandLine())
                        .map(CommandLine::getCommandName)
                        .iterator())
                .build());
    }

    @Override
    public Integer call() {
        String name = spec.positionalParameters().get(0).getValue();
        CommandLine all = spec.root().commandLine();
        CommandLine asked = name == null ? all : all.getSubcommands().get(name);
        if (asked == null) {
            throw new UnmatchedArgumentException(all, List.of(name));
        }
        asked.usage(all.getOut());
        return ExitCodes.DONE;
    }
}
