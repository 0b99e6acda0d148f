package dev.loopkeeper.cli.verb;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completions for bash: verbs and options as picocli writes them; ids of runs and the like are asked of the program. */
final class BashCompletion {
    /** Where a person looks for runs; the others have no say in what is offered. */
    private static final List<String> PLACES = List.of("--data", "--server", "--token-file");

    private final String program;
    private final CommandLine commands;

    BashCompletion(String program, CommandLine commands) {
        this.program = program;
        this.commands = commands;
    }

    String script() {
        return AutoComplete.bash(program, commands)
                + """

                # Words that only the program knows: runs, steps, actions, agents.
                function _PROGRAM_words() {
                  local current="${COMP_WORDS[COMP_CWORD]}" program="${COMP_WORDS[0]/#\\~/$HOME}"
                  local index word kind="" option="" verb=""
                  local -a given=() places=()
                  for ((index = 1; index < COMP_CWORD; index++)); do
                    word="${COMP_WORDS[index]}"
                    if [[ -n $option ]]; then
                      # --data=DIR are three words here.
                      [[ $word == "=" ]] && continue
                      case "$option" in
                        PLACES) places+=("$option=${word/#\\~/$HOME}") ;;
                      esac
                      option=""
                      continue
                    fi
                    case "$word" in
                      VALUED) option="$word" ;;
                      -?*) ;;
                      *) if [[ -z $verb ]]; then verb="$word"; else given+=("$word"); fi ;;
                    esac
                  done
                  if [[ -z $option && $current != -* ]]; then
                    case "$verb:${#given[@]}" in
                      BEFORE_VERB)
                        compopt +o default 2>/dev/null
                        COMPREPLY=($(compgen -W "VERBS" -- "$current"))
                        return ;;
                KINDS    esac
                  fi
                  if [[ -z $kind ]]; then
                    _complete_PROGRAM "$@"
                    return
                  fi
                  compopt +o default 2>/dev/null
                  mapfile -t COMPREPLY < <(LOOPKEEPER_BUILD=never "$program" "${places[@]}" ASK "$kind" "$current" ${given[0]:+"${given[0]}"} 2>/dev/null)
                }
                complete -F _PROGRAM_words -o default PROGRAM""".replace("PLACES", String.join(" | ", PLACES))
                        .replace("VALUED", valued())
                        .replace("BEFORE_VERB", places(Completes.VERBS))
                        .replace(
                                "VERBS",
                                verbs().map(CommandLine::getCommandName).collect(Collectors.joining(" ")))
                        .replace("KINDS", kinds())
                        .replace("ASK", CandidatesVerb.NAME)
                        .replace("PROGRAM", program);
    }

    /** E.g. {@code --data | --server}: what takes the next word for its value. */
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

    /** One line for each kind, e.g. {@code show:0 | logs:0) kind=runs ;;}. */
    private String kinds() {
        return Arrays.stream(Completes.values())
                .filter(Completes::isAsked)
                .map(kind -> "      " + places(kind) + ") kind=" + kind.kind() + " ;;\n")
                .collect(Collectors.joining());
    }

    private String places(Completes kind) {
        return verbs().flatMap(verb -> positions(verb, kind).stream()).collect(Collectors.joining(" | "));
    }

    private Stream<CommandLine> verbs() {
        return commands.getSubcommands().values().stream()
                .filter(verb -> !verb.getCommandSpec().usageMessage().hidden());
    }

    private static Collection<String> positions(CommandLine verb, Completes kind) {
        return verb.getCommandSpec().positionalParameters().stream()
                .filter(parameter -> Completes.of(parameter) == kind)
                .map(parameter ->
                        verb.getCommandName() + ":" + parameter.index().min())
                .toList();
    }
}
