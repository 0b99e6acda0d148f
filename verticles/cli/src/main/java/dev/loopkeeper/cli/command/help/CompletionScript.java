package dev.loopkeeper.cli.command.help;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Creates the completion script for bash and zsh. It extends the script of picocli by words that only the program
 * knows, such as run ids.
 */
record CompletionScript(String program, CommandLine commands) {
    /** The options that select where runs are read from; others do not affect the offered words. */
    private static final List<String> SOURCES = List.of("--data", "--server", "--token-file");

    String text() {
        return AutoComplete.bash(program, commands)
                + """

                # Words that only the program knows: runs, steps, actions.
                function _PROGRAM_words() {
                  local current="${COMP_WORDS[COMP_CWORD]}" program="${COMP_WORDS[0]/#\\~/$HOME}"
                  local index word kind="" option="" command=""
                  local -a given sources
                  for ((index = 1; index < COMP_CWORD; index++)); do
                    word="${COMP_WORDS[index]}"
                    if [[ -n $option ]]; then
                      # In bash --data=DIR are three words.
                      [[ $word == "=" ]] && continue
                      case "$option" in
                        SOURCES) sources+=("$option=${word/#\\~/$HOME}") ;;
                      esac
                      option=""
                      continue
                    fi
                    case "$word" in
                      VALUED) option="$word" ;;
                      OPENED) sources+=("$word") ;;
                      -?*) ;;
                      *) if [[ -z $command ]]; then command="$word"; else given+=("$word"); fi ;;
                    esac
                  done
                  if [[ $current != -* ]]; then
                    case "$option:$command:${#given[@]}" in
                KINDS    esac
                  fi
                  if [[ -z $kind ]]; then
                    _complete_PROGRAM "$@"
                    return
                  fi
                  compopt +o default 2>/dev/null
                  local IFS=$'\\n'
                  COMPREPLY=($(LOOPKEEPER_BUILD=never "$program" "${sources[@]}" ASK "$kind" "$current" ${given[0]:+"${given[0]}"} 2>/dev/null))
                }
                complete -F _PROGRAM_words -o default PROGRAM""".replace("SOURCES", String.join(" | ", SOURCES))
                        .replace(
                                "OPENED",
                                SOURCES.stream().map(option -> option + "=*").collect(Collectors.joining(" | ")))
                        .replace("VALUED", valued())
                        .replace("KINDS", kinds())
                        .replace("ASK", CandidatesCommand.NAME)
                        .replace("PROGRAM", program);
    }

    /** Returns the options that take a value, e.g. {@code --data | --server}. */
    private String valued() {
        return Stream.concat(Stream.of(commands), commands.getSubcommands().values().stream())
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> option.arity().max() > 0)
                .map(OptionSpec::names)
                .flatMap(Arrays::stream)
                .sorted()
                .distinct()
                .collect(Collectors.joining(" | "));
    }

    /** Returns one case per kind, e.g. {@code :show:0 | :logs:0 | --run:ps:*) kind=runs ;;}. */
    private String kinds() {
        return Arrays.stream(Completes.values())
                .map(kind -> "      " + patterns(kind) + ") kind=" + kind.word() + " ;;\n")
                .collect(Collectors.joining());
    }

    private String patterns(Completes kind) {
        return Completes.visible(commands)
                .flatMap(command -> command.getCommandSpec().args().stream()
                        .filter(argument ->
                                Completes.of(argument).filter(kind::equals).isPresent())
                        .map(argument -> pattern(command.getCommandName(), argument)))
                .collect(Collectors.joining(" | "));
    }

    private static String pattern(String command, ArgSpec argument) {
        return argument instanceof PositionalParamSpec parameter
                ? ":" + command + ":" + parameter.index().min()
                : ((OptionSpec) argument).longestName() + ":" + command + ":*";
    }
}
