package dev.loopkeeper.cli.verb;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A completion function for zsh with verbs, options and what they mean; a file for the folder of functions. */
final class ZshCompletion {
    /** {@code line_before} is the whole line, {@code line} the arguments of its verb. */
    private static final String ASKING = """
            # Words that only the program knows: runs, steps, actions, agents.
            _PROGRAM_ask() {
                local -a places answers
                local index
                for ((index = 2; index < ${#line_before}; index++)); do
                    case ${line_before[index]} in
                        --data|--server|--token-file) places+=("$line_before[index]=${${(Q)line_before[index+1]}/#\\~/$HOME}") ;;
                        --data=*|--server=*|--token-file=*) places+=("${(Q)line_before[index]}") ;;
                    esac
                done
                answers=(${(f)"$(LOOPKEEPER_BUILD=never "${${(Q)line_before[1]}/#\\~/$HOME}" $places ASK $1 "$PREFIX" $line[1] 2>/dev/null)"})
                compadd -a answers
            }

            """;

    private final String program;
    private final CommandLine commands;

    ZshCompletion(String program, CommandLine commands) {
        this.program = program;
        this.commands = commands;
    }

    String script() {
        StringBuilder text = new StringBuilder("#compdef " + program + "\n\n")
                .append(ASKING.replace("PROGRAM", program).replace("ASK", CandidatesVerb.NAME))
                .append("_" + program + "() {\n    local curcontext=\"$curcontext\" state line\n")
                .append("    local -a verbs line_before=(\"${words[@]}\")\n    verbs=(\n");
        verbs().forEach((name, verb) -> text.append("        '")
                .append(name)
                .append(':')
                .append(about(verb.getCommandSpec().usageMessage().description()))
                .append("'\n"));
        text.append("    )\n    _arguments -C").append(options(commands, true));
        text.append(" \\\n        '1:verb:->verb' \\\n        '*::argument:->rest'\n")
                .append("    case $state in\n        verb) _describe verb verbs ;;\n")
                .append("        rest)\n            case $line[1] in\n");
        verbs().forEach((name, verb) -> text.append("                " + name + ")\n")
                .append("                    _arguments")
                .append(options(verb, false))
                .append(parameters(verb))
                .append("\n                    ;;\n"));
        return text.append("            esac\n            ;;\n    esac\n}\n\n_" + program + " \"$@\"")
                .toString();
    }

    private Map<String, CommandLine> verbs() {
        Map<String, CommandLine> verbs = new LinkedHashMap<>(commands.getSubcommands());
        verbs.values().removeIf(verb -> verb.getCommandSpec().usageMessage().hidden());
        return verbs;
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
            case VERBS -> "{_describe verb verbs}";
            case NOTHING -> " ";
            case RUNS, STEPS, ACTIONS, AGENTS ->
                "{_loopkeeper_ask " + Completes.of(argument).kind() + "}";
        };
    }

    /** Brackets end a description, colons a part of a word, quotes the word itself. */
    private static String about(String... description) {
        return Completes.about(description).replaceAll("([\\[\\]:])", "\\\\$1").replace("'", "'\\''");
    }
}
