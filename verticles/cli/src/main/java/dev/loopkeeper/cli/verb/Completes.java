package dev.loopkeeper.cli.verb;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** What only the program knows of the words that a shell offers. */
enum Completes {
    RUNS,
    STEPS,
    ACTIONS,
    AGENTS;

    /** What may stand for this argument; empty where a shell knows it without the program. */
    static Optional<Completes> of(ArgSpec argument) {
        return switch (argument.paramLabel()) {
            case "RUN" -> Optional.of(RUNS);
            case "STEP" -> Optional.of(STEPS);
            case "ACTION" -> Optional.of(ACTIONS);
            case "ROLE" -> Optional.of(AGENTS);
            default -> Optional.empty();
        };
    }

    /** The verbs that are offered. */
    static Stream<CommandLine> verbs(CommandLine commands) {
        return commands.getSubcommands().values().stream()
                .filter(verb -> !verb.getCommandSpec().usageMessage().hidden());
    }

    /** What {@link CandidatesVerb} is asked for. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
