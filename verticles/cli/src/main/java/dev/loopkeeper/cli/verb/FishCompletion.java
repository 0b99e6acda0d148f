package dev.loopkeeper.cli.verb;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completions for fish: verbs, options and what they mean, each as one line. */
final class FishCompletion {
    private final String program;
    private final CommandLine commands;

    FishCompletion(String program, CommandLine commands) {
        this.program = program;
        this.commands = commands;
    }

    String script() {
        StringBuilder text = new StringBuilder("complete -c " + program + " -f");
        verbs().forEach((name, verb) -> text.append("\ncomplete -c " + program)
                .append(" -n __fish_use_subcommand -a " + name + " -d '")
                .append(Completes.about(verb.getCommandSpec().usageMessage().description()))
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
                    .anyMatch(parameter -> Completes.of(parameter) == Completes.RUNS)) {
                text.append("\ncomplete -c " + program + here + " -a '(LOOPKEEPER_BUILD=never " + program + " "
                        + CandidatesVerb.NAME + " runs (commandline -ct) 2>/dev/null)'");
            }
        });
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
            case RUNS, STEPS, ACTIONS, AGENTS, NOTHING -> " -x";
        };
    }

    private static String about(String... description) {
        return Completes.about(description).replace("\\", "\\\\").replace("'", "\\'");
    }
}
