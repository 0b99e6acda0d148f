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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Linux's {@code /proc}. A process that ends while it is read is treated as gone, and one that this user may not
 * see as absent. Other failures throw {@link UncheckedIOException}, since they say nothing about the process. Blocks.
 */
public final class ProcFs {
    private static final Path ROOT = Path.of("/proc");
    private static final String MARKS = "LOOPKEEPER_";
    private static final int COMMAND_LENGTH = 400;
    /** Fits some fifty numbers and a name of at most 64 bytes. */
    private static final int STAT_LENGTH = 2048;
    /** The file with the newest pid of this process's PID namespace. */
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

    /** Returns the id of this boot. */
    public String bootId() {
        return bootId;
    }

    /** Returns all processes except kernel threads. */
    public List<ProcessStat> all() {
        return new ProcListing()
                .entries().stream()
                        .flatMap(entry -> stat(entry.pid()).stream())
                        .filter(stat -> !stat.ofKernel())
                        .toList();
    }

    /** Reads a process, also a zombie, with one read. */
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

    /** Returns empty if the failure means that the process is absent; otherwise throws. */
    private static <T> Optional<T> absentOr(IOException failed, Path file) {
        if (failed instanceof NoSuchFileException
                || failed instanceof AccessDeniedException
                || Files.notExists(file.getParent())
                || !Files.isReadable(file)
                || saysNoSuchProcess(failed)) {
            return Optional.empty();
        }
        throw new UncheckedIOException(failed);
    }

    /** Returns the last number given to a process or thread; empty if unknown. Numbers rise until they wrap around. */
    OptionalLong newestPid() {
        byte[] digits = new byte[PID_LENGTH];
        try {
            int length = files.read(NEWEST_PID, digits);
            return OptionalLong.of(
                    Long.parseLong(new String(digits, 0, Math.max(0, length), StandardCharsets.ISO_8859_1).strip()));
        } catch (IOException | NumberFormatException unknown) {
            return OptionalLong.empty();
        }
    }

    /** Returns whether this number belongs to a thread that is not the first of its process. */
    boolean isThread(long id) {
        return content(id + "/status")
                .filter(status -> !status.contains("\nTgid:\t" + id + "\n"))
                .isPresent();
    }

    /**
     * Returns whether a process exists but this user may not see it, as under {@code hidepid}: it is listed but
     * unreadable. Requires no file descriptor, because a failed call may have lacked one.
     */
    boolean hides(long pid) {
        Path process = ROOT.resolve(Long.toString(pid));
        return !Files.isReadable(process.resolve("stat")) && !Files.notExists(process);
    }

    /** A dying process has no environment but still a folder. The message is in the C library's language. */
    private static boolean saysNoSuchProcess(IOException failed) {
        return failed.getMessage() != null
                && failed.getMessage().contains(LibC.get().strerror(ESRCH));
    }

    /** Returns the process that has this pid now. */
    public Optional<Identity> identity(long pid) {
        return stat(pid).map(this::identity);
    }

    /** Returns the identity of this process. */
    public Identity identity(ProcessStat stat) {
        return new Identity(stat.pid(), stat.startTicks(), bootId);
    }

    /** Returns whether exactly this process is alive. */
    public boolean living(Identity identity) {
        return owner(identity).filter(ProcessStat::living).isPresent();
    }

    /** Returns whether the pid still belongs to this process, alive or zombie. */
    public boolean holdsPid(Identity identity) {
        return owner(identity).isPresent();
    }

    private Optional<ProcessStat> owner(Identity identity) {
        return identity.bootId().equals(bootId)
                ? stat(identity.pid()).filter(stat -> stat.startTicks() == identity.startTicks())
                : Optional.empty();
    }

    /**
     * Returns the {@code LOOPKEEPER_*} variables of its environment at its last exec; empty if it cannot be read
     * completely. Waits briefly for an exec in progress.
     */
    Optional<Map<String, String>> marks(long pid) {
        Optional<String> environment = content(pid + "/environ");
        boolean executing = true;
        for (int again = 0; again < MOST_LOOKS_AT_AN_EXEC && executing && isNone(environment); again++) {
            executing = isExecuting(pid);
            if (executing) {
                LockSupport.parkNanos(EXEC_PAUSE_NANOS);
            }
            // Read again even if it has arguments: it may have got both since.
            environment = content(pid + "/environ");
        }
        return environment.filter(ProcFs::isComplete).map(ProcFs::marksIn);
    }

    /** Returns whether its environment is permanently unreadable: it belongs to another user or forbids access. */
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

    /** A process that ends while it is read leaves a partial environment. */
    private static boolean isComplete(String environment) {
        return environment.endsWith("\0") || environment.contains(StepEnvironment.NONCE + "=");
    }

    private static boolean isNone(Optional<String> environment) {
        return environment.filter(String::isEmpty).isPresent();
    }

    /** A living process with neither environment nor arguments is in the middle of an exec. */
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

    /** Returns whether exactly this process has one of these files open for writing; false if it cannot be read. */
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

    /** The line {@code flags:} is octal; its last digit is the access mode. */
    private static boolean isForWriting(String facts) {
        Matcher flags = FLAGS.matcher(facts);
        return flags.find() && (flags.group(1).charAt(0) - '0' & ACCESS) != 0;
    }

    /** Returns all arguments, joined by blanks; empty if there are none. */
    public String commandLine(long pid) {
        return content(pid + "/cmdline").orElse("").replace('\0', ' ').strip();
    }

    /**
     * Returns the arguments, joined by blanks and shortened, or the short name if there are none. For display: never
     * fails.
     */
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
