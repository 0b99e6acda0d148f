package dev.loopkeeper.submit;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Resolves the first word of a command to a program, for the check before a run and for the launch. Blocks on files.
 *
 * @param baseDir absolute path of the manifest's folder
 * @param cwd absolute path of the step's working directory; need not exist
 * @param searchPath folders between colons, as in {@code PATH}
 */
public record ProgramLookup(Path baseDir, Path cwd, String searchPath) {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    /** Creates a lookup with the {@code PATH} of the step's complete environment, else the usual one. */
    public static ProgramLookup in(Path baseDir, Path cwd, Map<String, String> environment) {
        return new ProgramLookup(baseDir, cwd, environment.getOrDefault("PATH", USUAL_PATH));
    }

    /**
     * The program of a command that is a list. A word with a slash is relative to the manifest's folder first, then to
     * the working directory; any other is searched for on the search path.
     *
     * @return absolute path of an executable regular file; empty when there is none
     */
    public Optional<Path> program(String word) {
        return firstOf(word.contains("/") ? places(word, baseDir, cwd) : alongThePath(word));
    }

    /** The program of a plain first word of a shell command: as the shell does it, relative to its own folder only. */
    public Optional<Path> shellProgram(String word) {
        return firstOf(word.contains("/") ? places(word, cwd) : alongThePath(word));
    }

    /** Returns these words of a command; a program in the manifest's folder is an absolute path. */
    public static List<String> words(Path baseDir, List<String> command) {
        List<String> words = new ArrayList<>(command);
        Path beside = baseDir.resolve(words.get(0));
        if (words.get(0).contains("/") && Files.exists(beside)) {
            words.set(0, beside.toAbsolutePath().normalize().toString());
        }
        return words;
    }

    private Stream<Path> alongThePath(String word) {
        return Arrays.stream(searchPath.split(":", -1)).flatMap(folder -> inFolder(folder, word));
    }

    /** An empty entry means the working directory, by an old rule of POSIX. */
    private Stream<Path> inFolder(String folder, String word) {
        try {
            return Stream.of(cwd.resolve(folder).resolve(word));
        } catch (InvalidPathException noPath) {
            return Stream.empty();
        }
    }

    private static Stream<Path> places(String word, Path... folders) {
        try {
            return Arrays.stream(folders).map(folder -> folder.resolve(word).normalize());
        } catch (InvalidPathException noPath) {
            return Stream.empty();
        }
    }

    private static Optional<Path> firstOf(Stream<Path> candidates) {
        return candidates
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
