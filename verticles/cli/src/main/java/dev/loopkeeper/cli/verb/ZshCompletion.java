package dev.loopkeeper.cli.verb;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A completion function for zsh with verbs, options and what they mean; a file for the folder of functions. */
final class ZshCompletion {
    private final String program;
    private final CommandLine commands;

    ZshCompletion(String program, CommandLine commands) {
        this.program = program;
        this.commands = commands;
    }

    String script() {
        StringBuilder text = new StringBuilder("#compdef " + program + "\n\n_" + program + "() {\n")
                .append("    local curcontext=\"$curcontext\" state line\n    local -a verbs\n    verbs=(\n");
        commands.getSubcommands()
                .forEach((name, verb) -> text.append("        '")
                        .append(name)
                        .append(':')
                        .append(about(verb.getCommandSpec().usageMessage().description()))
                        .append("'\n"));
        text.append("    )\n    _arguments -C").append(options(commands, true));
        text.append(" \\\n        '1:verb:->verb' \\\n        '*::argument:->rest'\n")
                .append("    case $state in\n        verb) _describe verb verbs ;;\n")
                .append("        rest)\n            case $line[1] in\n");
        commands.getSubcommands()
                .forEach((name, verb) -> text.append("                " + name + ")\n")
                        .append("                    _arguments")
                        .append(options(verb, false))
                        .append(parameters(verb))
                        .append("\n                    ;;\n"));
        return text.append("            esac\n            ;;\n    esac\n}\n\n_" + program + " \"$@\"")
                .toString();
    }

    private static String options(CommandLine command, boolean root) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden() && (root || !option.inherited()))
                .flatMap(option -> Arrays.stream(option.names()).map(name -> word(option, name)))
                .collect(Collectors.joining());
    }

    private static String word(OptionSpec option, String name) {
        String repeated = option.isMultiValue() ? "*" : "";
        String value = option.arity().max() == 0 ? "" : ":" + option.paramLabel() + ":" + action(option);
        String attached = value.isEmpty() || !name.startsWith("--") ? "" : "=";
        return " \\\n        '" + repeated + name + attached + "[" + about(option.description()) + "]" + value + "'";
    }

    private static String parameters(CommandLine verb) {
        List<PositionalParamSpec> all = verb.getCommandSpec().positionalParameters();
        return all.stream()
                .map(parameter -> " \\\n        '" + (parameter.index().min() + 1)
                        + (parameter.arity().min() == 0 ? "::" : ":") + parameter.paramLabel() + ":"
                        + action(parameter) + "'")
                .collect(Collectors.joining());
    }

    private static String action(ArgSpec argument) {
        return switch (Completes.of(argument)) {
            case FILES -> "_files";
            case FOLDERS -> "_files -/";
            case NOTHING -> " ";
        };
    }

    /** Brackets end a description, colons a part of a word, quotes the word itself. */
    private static String about(String... description) {
        return Completes.about(description).replaceAll("([\\[\\]:])", "\\\\$1").replace("'", "'\\''");
    }
}
