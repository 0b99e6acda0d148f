package dev.loopkeeper.cli.command.help;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** The kinds of words that only the program can offer for completion. */
enum Completes {
    RUNS,
    STEPS,
    ACTIONS;

    /** Returns the kind of words for this argument; empty if the shell completes it without the program. */
    static Optional<Completes> of(ArgSpec argument) {
        return switch (argument.paramLabel()) {
            case "RUN" -> Optional.of(RUNS);
            case "STEP" -> Optional.of(STEPS);
            case "ACTION" -> Optional.of(ACTIONS);
            default -> Optional.empty();
        };
    }

    /** Returns the commands that are offered. */
    static Stream<CommandLine> visible(CommandLine commands) {
        return commands.getSubcommands().values().stream()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden());
    }

    /** Returns the name of this kind in calls of {@link CandidatesCommand}. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
