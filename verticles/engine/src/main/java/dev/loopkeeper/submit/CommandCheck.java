package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.ShellText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Checks before the run whether the program of a command can be found. */
final class CommandCheck {
    private CommandCheck() {}

    /**
     * Returns the problem and its remedy; empty when the program is found, or when the manifest's reader refuses the
     * command.
     *
     * @param pathKnown whether the {@code PATH} of the agents is known; without it a bare name is not checked
     */
    static Optional<String> objection(JsonNode command, ProgramLookup lookup, boolean pathKnown) {
        try {
            return missingProgram(command, lookup, pathKnown);
        } catch (InvalidPathException noPath) {
            return Optional.of("expected a program, found an invalid file name");
        }
    }

    private static Optional<String> missingProgram(JsonNode command, ProgramLookup lookup, boolean pathKnown) {
        if (command.isTextual()) {
            return ShellText.plainProgram(command.textValue())
                    .filter(word -> pathKnown || word.contains("/"))
                    .filter(word -> lookup.shellProgram(word).isEmpty())
                    .map(word -> missing(word, List.of(lookup.cwd())));
        }
        return Optional.of(command.path(0))
                .filter(first -> first.isTextual() && !first.textValue().isBlank())
                .map(JsonNode::textValue)
                // A template that is filled in when the command is run.
                .filter(word -> !word.contains("{{"))
                .filter(word -> pathKnown || word.contains("/"))
                .filter(word -> lookup.program(word).isEmpty())
                .map(word -> missing(word, List.of(lookup.baseDir(), lookup.cwd())));
    }

    private static String missing(String word, List<Path> folders) {
        if (!word.contains("/")) {
            return "there is no program " + word + " on the PATH of " + BaseFolders.USER
                    + ", who runs the agents; install it or give its path";
        }
        List<Path> present = folders.stream()
                .map(folder -> folder.resolve(word).normalize())
                .filter(Files::exists)
                .toList();
        if (!present.isEmpty()) {
            return present.get(0) + " is not executable; try chmod +x";
        }
        List<String> names = folders.stream().map(Path::toString).distinct().toList();
        return "there is no program " + word + " in " + String.join(" or ", names);
    }
}
