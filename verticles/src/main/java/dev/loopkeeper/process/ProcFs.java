package dev.loopkeeper.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads Linux's {@code /proc}. A process that goes while it is read counts as gone. Blocking. */
final class ProcFs {
    private static final Path ROOT = Path.of("/proc");
    private static final String MARKS = "LOOPKEEPER_";
    private static final int COMMAND_LENGTH = 400;

    private final String bootId;

    ProcFs() {
        this.bootId = content("sys/kernel/random/boot_id").map(String::strip).orElse("");
    }

    /** This boot of the machine. */
    String bootId() {
        return bootId;
    }

    /** Every process but the kernel's own. */
    List<ProcessStat> all() {
        List<ProcessStat> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(ROOT, ProcFs::isProcess)) {
            for (Path entry : entries) {
                stat(Long.parseLong(entry.getFileName().toString()))
                        .filter(stat -> !stat.ofKernel())
                        .ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw new UncheckedIOException("/proc cannot be listed", new IOException(unreadable));
        }
        return found;
    }

    private static boolean isProcess(Path entry) {
        char first = entry.getFileName().toString().charAt(0);
        return first >= '0' && first <= '9';
    }

    /** One process, also a dead one that nobody has waited for. */
    Optional<ProcessStat> stat(long pid) {
        return content(pid + "/stat").flatMap(ProcessStat::parse);
    }

    /** Whose pid this is now. */
    Optional<Identity> identity(long pid) {
        return stat(pid).map(this::identity);
    }

    /** Who this is. */
    Identity identity(ProcessStat stat) {
        return new Identity(stat.pid(), stat.startTicks(), bootId);
    }

    /** Whether exactly this process still lives. */
    boolean living(Identity identity) {
        return identity.bootId().equals(bootId)
                && stat(identity.pid())
                        .filter(ProcessStat::living)
                        .filter(stat -> stat.startTicks() == identity.startTicks())
                        .isPresent();
    }

    /** The {@code LOOPKEEPER_*} part of its environment at its last exec; empty when it may not be read. */
    Map<String, String> marks(long pid) {
        Map<String, String> marks = new HashMap<>();
        for (String entry : content(pid + "/environ").orElse("").split("\0", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0 && entry.startsWith(MARKS)) {
                marks.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return marks;
    }

    /** All its words, joined by blanks; empty when it has none. */
    String commandLine(long pid) {
        return content(pid + "/cmdline").orElse("").replace('\0', ' ').strip();
    }

    /** Its words, joined by blanks and cut to a readable length; the short name when it has none. */
    String command(long pid) {
        String words = commandLine(pid);
        String command =
                words.isEmpty() ? content(pid + "/comm").map(String::strip).orElse("") : words;
        return command.length() <= COMMAND_LENGTH ? command : command.substring(0, COMMAND_LENGTH) + "…";
    }

    private static Optional<String> content(String file) {
        try {
            return Optional.of(new String(Files.readAllBytes(ROOT.resolve(file)), StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
