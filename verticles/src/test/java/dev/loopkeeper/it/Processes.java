package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Who lives on this machine, found without our own code. */
final class Processes {
    private Processes() {}

    /** Pid and command of each living process whose environment or command line has this text; zombies are dead. */
    static List<String> with(String mark) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            folders = all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList();
        }
        List<String> found = new ArrayList<>();
        for (Path process : folders) {
            String command = text(process.resolve("cmdline"));
            boolean marked =
                    command.contains(mark) || text(process.resolve("environ")).contains(mark);
            if (marked && !text(process.resolve("stat")).contains(") Z ")) {
                found.add(process.getFileName() + " " + command);
            }
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }
}
