package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;

/** What a shell offers for the value of an option or a parameter. */
enum Completes {
    NOTHING(""),
    FILES(""),
    FOLDERS(""),
    VERBS(""),
    RUNS("runs"),
    STEPS("steps"),
    ACTIONS("actions"),
    AGENTS("agents");

    private static final Pattern SENTENCE_END = Pattern.compile("\\.( (?=[A-Z])|$)");

    private final String kind;

    Completes(String kind) {
        this.kind = kind;
    }

    static Completes of(ArgSpec argument) {
        return switch (argument.paramLabel()) {
            case "FILE", "MANIFEST" -> FILES;
            case "DIR" -> FOLDERS;
            case "VERB" -> VERBS;
            case "RUN" -> RUNS;
            case "STEP" -> STEPS;
            case "ACTION" -> ACTIONS;
            case "ROLE" -> AGENTS;
            default -> NOTHING;
        };
    }

    /** What {@link CandidatesVerb} is asked for; empty where the shell or the script knows it by itself. */
    String kind() {
        return kind;
    }

    boolean isAsked() {
        return !kind.isEmpty();
    }

    /** The first sentence about it, on one line. */
    static String about(String... description) {
        return SENTENCE_END.split(Words.oneLine(String.join(" ", description)), 2)[0];
    }
}
