package dev.loopkeeper.process.tree;

import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.work.LibC;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Linux's {@code /proc}. A process that goes while it is read counts as gone, and one that this user may not see as
 * not there. Whatever else fails says nothing of the process: then methods throw {@link UncheckedIOException}. Blocking.
 */
public final class ProcFs {
    private static final Path ROOT = Path.of("/proc");
    private static final String MARKS = "LOOPKEEPER_";
    private static final int COMMAND_LENGTH = 400;
    /** Some fifty numbers, and a name of at most 64 bytes. */
    private static final int STAT_LENGTH = 2048;
    /** Of this namespace of processes. */
    static final String NEWEST_PID = "/proc/sys/kernel/ns_last_pid";

    private static final int PID_LENGTH = 32;

    private static final Pattern FLAGS = Pattern.compile("(?m)^flags:\\s*[0-7]*([0-7])$");
    private static final int ACCESS = 3;
    private static final int ESRCH = 3;
    static final int MOST_LOOKS_AT_AN_EXEC = 10;
    private static final long EXEC_PAUSE_NANOS = 2_000_000;

    private final SmallFiles files;
    private final String bootId;

    public ProcFs() {
        this(SmallFiles.REAL);
    }

    ProcFs(SmallFiles files) {
        this.files = files;
        this.bootId = content("sys/kernel/random/boot_id").map(String::strip).orElse("");
    }

    /** This boot of the machine. */
    public String bootId() {
        return bootId;
    }

    /** Every process but the kernel's own. */
    public List<ProcessStat> all() {
        return new ProcListing()
                .entries().stream()
                        .flatMap(entry -> stat(entry.pid()).stream())
                        .filter(stat -> !stat.ofKernel())
                        .toList();
    }

    /** One process, also a dead one that nobody has waited for. In one read. */
    Optional<ProcessStat> stat(long pid) {
        String file = "/proc/" + pid + "/stat";
        byte[] line = new byte[STAT_LENGTH];
        try {
            int length = files.read(file, line);
            String text = new String(line, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
            Optional<ProcessStat> stat = ProcessStat.parse(text);
            if (stat.isEmpty()) {
                throw new IOException(file + " holds \"" + text + "\"");
            }
            return stat;
        } catch (IOException failed) {
            return absentOr(failed, Path.of(file));
        }
    }

    /** Nothing, where that is what the failure says; else throws. */
    private static <T> Optional<T> absentOr(IOException failed, Path file) {
        if (failed instanceof NoSuchFileException
                || failed instanceof AccessDeniedException
                || gone(file.getParent())
                || !Files.isReadable(file)
                || saysNoSuchProcess(failed)) {
            return Optional.empty();
        }
        throw new UncheckedIOException(failed);
    }

    /**
     * The number that a process or thread got last; absent where the kernel does not tell it. Each next one gets a higher
     * number, until the highest is reached.
     */
    OptionalLong newestPid() {
        byte[] digits = new byte[PID_LENGTH];
        try {
            int length = files.read(NEWEST_PID, digits);
            return OptionalLong.of(
                    Long.parseLong(new String(digits, 0, Math.max(0, length), StandardCharsets.ISO_8859_1).strip()));
        } catch (IOException | NumberFormatException untold) {
            return OptionalLong.empty();
        }
    }

    /** Whether this is the number of a thread that is not the first one of its process. */
    boolean isThread(long id) {
        return content(id + "/status")
                .filter(status -> !status.contains("\nTgid:\t" + id + "\n"))
                .isPresent();
    }

    /** Whether this user may not see a process that is there, as under {@code hidepid}: it is listed and cannot be read. */
    boolean hides(long pid) {
        Path process = ROOT.resolve(Long.toString(pid));
        return !Files.isReadable(process.resolve("stat")) && !gone(process);
    }

    /** Needs no file descriptor, unlike what has just failed. */
    private static boolean gone(Path process) {
        try {
            Files.readAttributes(process, BasicFileAttributes.class);
            return false;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** A dying process has no environment any more, but still its folder. The message is in the language of the C library. */
    private static boolean saysNoSuchProcess(IOException failed) {
        return failed.getMessage() != null
                && failed.getMessage().contains(LibC.get().strerror(ESRCH));
    }

    /** Whose pid this is now. */
    public Optional<Identity> identity(long pid) {
        return stat(pid).map(this::identity);
    }

    /** Who this is. */
    public Identity identity(ProcessStat stat) {
        return new Identity(stat.pid(), stat.startTicks(), bootId);
    }

    /** Whether exactly this process still lives. */
    public boolean living(Identity identity) {
        return owner(identity).filter(ProcessStat::living).isPresent();
    }

    /** Whether the pid is still this process's, which may be dead as long as nobody has waited for it. */
    public boolean holdsPid(Identity identity) {
        return owner(identity).isPresent();
    }

    private Optional<ProcessStat> owner(Identity identity) {
        return identity.bootId().equals(bootId)
                ? stat(identity.pid()).filter(stat -> stat.startTicks() == identity.startTicks())
                : Optional.empty();
    }

    /**
     * The {@code LOOPKEEPER_*} part of its environment at its last exec; nothing when not all of it may be read, or there is none.
     * An exec that is under way is waited for, though not for long.
     */
    Optional<Map<String, String>> marks(long pid) {
        Optional<String> environment = content(pid + "/environ");
        boolean executing = true;
        for (int again = 0; again < MOST_LOOKS_AT_AN_EXEC && executing && isNone(environment); again++) {
            executing = isExecuting(pid);
            if (executing) {
                LockSupport.parkNanos(EXEC_PAUSE_NANOS);
            }
            // Also where it has words: it may have got both meanwhile.
            environment = content(pid + "/environ");
        }
        return environment.filter(ProcFs::isWhole).map(ProcFs::marksIn);
    }

    /** Whether they may not be read, now or later: it is another user's, or lets nobody look. */
    boolean keepsMarks(long pid) {
        try {
            byte[] unused = files.read(ROOT.resolve(pid + "/environ"));
            return false;
        } catch (AccessDeniedException forbidden) {
            return true;
        } catch (IOException other) {
            return false;
        }
    }

    /** Whoever ends while it is read leaves a part, which says nothing of what is missing. */
    private static boolean isWhole(String environment) {
        return environment.endsWith("\0") || environment.contains(StepEnvironment.NONCE + "=");
    }

    private static boolean isNone(Optional<String> environment) {
        return environment.filter(String::isEmpty).isPresent();
    }

    /** Who has neither an environment nor words and lives is in the middle of an exec, and a moment later it has both. */
    private boolean isExecuting(long pid) {
        return commandLine(pid).isEmpty()
                && stat(pid).filter(ProcessStat::living).isPresent();
    }

    private static Map<String, String> marksIn(String environment) {
        if (!environment.contains(MARKS)) {
            return Map.of();
        }
        Map<String, String> marks = new HashMap<>();
        for (String entry : environment.split("\0", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0 && entry.startsWith(MARKS)) {
                marks.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return marks;
    }

    /** Whether this process, and no other with its pid, has one of these files open for writing; false when it may not be seen. */
    boolean writesInto(Identity process, List<Path> outputs) {
        String[] open = ROOT.resolve(process.pid() + "/fd").toFile().list();
        if (open == null) {
            return false;
        }
        for (String descriptor : open) {
            if (isOneOf(process.pid() + "/fd/" + descriptor, outputs)
                    && content(process.pid() + "/fdinfo/" + descriptor)
                            .filter(ProcFs::isForWriting)
                            .isPresent()) {
                return living(process);
            }
        }
        return false;
    }

    private static boolean isOneOf(String link, List<Path> outputs) {
        try {
            return outputs.contains(Files.readSymbolicLink(ROOT.resolve(link)));
        } catch (IOException closed) {
            return false;
        }
    }

    /** The line {@code flags:} is octal; its last digit says how the file was opened. */
    private static boolean isForWriting(String facts) {
        Matcher flags = FLAGS.matcher(facts);
        return flags.find() && (flags.group(1).charAt(0) - '0' & ACCESS) != 0;
    }

    /** All its words, joined by blanks; empty when it has none. */
    public String commandLine(long pid) {
        return content(pid + "/cmdline").orElse("").replace('\0', ' ').strip();
    }

    /** Its words, joined by blanks and cut to a readable length; the short name when it has none. For people: does not fail. */
    public String command(long pid) {
        try {
            return readableCommand(pid);
        } catch (UncheckedIOException unknown) {
            return "(unreadable)";
        }
    }

    private String readableCommand(long pid) {
        String words = commandLine(pid);
        String command =
                words.isEmpty() ? content(pid + "/comm").map(String::strip).orElse("") : words;
        return command.length() <= COMMAND_LENGTH ? command : command.substring(0, COMMAND_LENGTH) + "…";
    }

    private Optional<String> content(String name) {
        Path file = ROOT.resolve(name);
        try {
            return Optional.of(new String(files.read(file), StandardCharsets.UTF_8));
        } catch (IOException failed) {
            return absentOr(failed, file);
        }
    }
}
