package dev.loopkeeper.work;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Starts a program in a session of its own, so that no signal to the terminal of Loopkeeper reaches it. */
public final class OwnSession {
    private OwnSession() {}

    /** Returns the words before the program; none without {@code setsid}. */
    public static List<String> words() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry, "setsid"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(program -> List.of(program.toString()))
                .orElse(List.of());
    }
}
