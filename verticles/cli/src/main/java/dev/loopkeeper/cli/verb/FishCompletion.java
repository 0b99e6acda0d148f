package dev.loopkeeper.cli.verb;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completions for fish: verbs, options and what they mean, each as one line; ids of runs and the like are asked of the
 * program.
 */
final class FishCompletion {
    /** Which word of the line is asked for, and where a person looks for runs. */
    private static final String ASKING = """
            # Words that only the program knows: runs, steps, actions, agents.
            function __PROGRAM_ask
                set -l words (commandline -opc)
                set -l program (string replace -r '^~(?=/|$)' $HOME -- $words[1])
                set -l places
                set -l given
                set -l option
                for word in (string replace -r '^~(?=/|$)' $HOME -- $words[2..])
                    if test -n "$option"
                        contains -- $option PLACES
                        and set -a places $option=$word
                        set option
                        continue
                    end
                    switch $word
                        case -
                            set -a given $word
                        case VALUED
                            set option $word
                        case OPENED
                            set -a places $word
                        case '-*'
                        case '*'
                            set -a given $word
                    end
                end
                set -l kind
                switch "$given[1]:"(count $given)
            KINDS    end
                test -n "$kind"
                and env LOOPKEEPER_BUILD=never $program $places ASK $kind (commandline -ct) $given[2] 2>/dev/null
            end
            """;

    private static final List<String> PLACES = List.of("--data", "--server", "--token-file");

    private final String program;
    private final CommandLine commands;

    FishCompletion(String program, CommandLine commands) {
        this.program = program;
        this.commands = commands;
    }

    String script() {
        StringBuilder text = new StringBuilder(asking()).append("complete -c " + program + " -f");
        verbs().forEach((name, verb) -> text.append("\ncomplete -c " + program)
                .append(" -n __fish_use_subcommand -a " + name + " -d '")
                .append(about(verb.getCommandSpec().usageMessage().description()))
                .append("'"));
        options(commands, "", text);
        verbs().forEach((name, verb) -> {
            String here = " -n '__fish_seen_subcommand_from " + name + "'";
            options(verb, here, text);
            if (verb.getCommandSpec().positionalParameters().stream()
                    .map(Completes::of)
                    .anyMatch(kind -> kind == Completes.FILES || kind == Completes.FOLDERS)) {
                text.append("\ncomplete -c " + program + here + " -F");
            }
            if (verb.getCommandSpec().positionalParameters().stream()
                    .anyMatch(parameter -> Completes.of(parameter).isAsked())) {
                text.append("\ncomplete -c " + program + here + " -a '(__" + program + "_ask)'");
            }
            if (verb.getCommandSpec().positionalParameters().stream()
                    .anyMatch(parameter -> Completes.of(parameter) == Completes.VERBS)) {
                verbsAfter(name, text);
            }
        });
        return text.toString();
    }

    /** Every verb with what it does, until one of them is there. */
    private void verbsAfter(String verb, StringBuilder text) {
        String others =
                verbs().keySet().stream().filter(name -> !name.equals(verb)).collect(Collectors.joining(" "));
        verbs().forEach((name, described) -> text.append("\ncomplete -c " + program)
                .append(" -n '__fish_seen_subcommand_from " + verb)
                .append("; and not __fish_seen_subcommand_from " + others + "'")
                .append(" -a " + name + " -d '")
                .append(about(described.getCommandSpec().usageMessage().description()))
                .append("'"));
    }

    private String asking() {
        return ASKING.replace("PLACES", String.join(" ", PLACES))
                .replace("VALUED", String.join(" ", valued()))
                .replace(
                        "OPENED",
                        PLACES.stream().map(place -> "'" + place + "=*'").collect(Collectors.joining(" ")))
                .replace("KINDS", kinds())
                .replace("ASK", CandidatesVerb.NAME)
                .replace("PROGRAM", program);
    }

    /** What takes the next word for its value. */
    private List<String> valued() {
        return Stream.concat(Stream.of(commands), verbs().values().stream())
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> option.arity().max() > 0)
                .flatMap(option -> Arrays.stream(option.names()))
                .sorted()
                .distinct()
                .toList();
    }

    /** One case for each place, by the verb and how many words stand there before, that one counted. */
    private String kinds() {
        StringBuilder text = new StringBuilder();
        verbs().forEach((name, verb) -> verb.getCommandSpec().positionalParameters().stream()
                .filter(parameter -> Completes.of(parameter).isAsked())
                .forEach(parameter -> text.append("        case " + name + ":")
                        .append(parameter.index().min() + 1)
                        .append("\n            set kind "
                                + Completes.of(parameter).kind() + "\n")));
        return text.toString();
    }

    private Map<String, CommandLine> verbs() {
        Map<String, CommandLine> verbs = new LinkedHashMap<>(commands.getSubcommands());
        verbs.values().removeIf(verb -> verb.getCommandSpec().usageMessage().hidden());
        return verbs;
    }

    private void options(CommandLine command, String where, StringBuilder text) {
        command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden() && (where.isEmpty() || !option.inherited()))
                .forEach(option -> text.append("\ncomplete -c " + program + where)
                        .append(names(option))
                        .append(value(option))
                        .append(" -d '" + about(option.description()) + "'"));
    }

    private static String names(OptionSpec option) {
        return Arrays.stream(option.names())
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return switch (Completes.of(option)) {
            case FILES -> " -r -F";
            case FOLDERS -> " -x -a '(__fish_complete_directories)'";
            case VERBS, RUNS, STEPS, ACTIONS, AGENTS, NOTHING -> " -x";
        };
    }

    private static String about(String... description) {
        return Completes.about(description).replace("\\", "\\\\").replace("'", "\\'");
    }
}
