package dev.loopkeeper.process;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.loopkeeper.work.LibC;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Starts a program by {@code posix_spawn}, without the helper program of Java: in a session of its own, with every signal
 * blocked until it sees to them itself. It inherits descriptors that Java did not mark: it is to close those. Blocking,
 * thread-safe.
 */
final class PosixSpawn {
    private static final int SET_SIGNAL_MASK = 0x08;
    private static final int SET_SESSION = 0x80;
    private static final int CLOSE_ON_EXEC = 02000000;
    private static final int SET_FLAGS = 4;
    private static final int NON_BLOCKING = 04000;
    private static final int WRITE_ONLY = 1;
    private static final int TEXT_BUSY = 26;
    private static final int BUSY_TRIES = 40;
    private static final int BUSY_PAUSE_MILLIS = 5;
    /** Several times what glibc and musl need. */
    private static final int STRUCTURE_BYTES = 1024;

    private static final int SIGNAL_SET_BYTES = 128;
    private static final int FIRST_FREE = 3;
    /** In which Java reads and writes names, words and variables. */
    private static final Charset NATIVE = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private static final byte[] NOTHING = text("/dev/null");

    private final ChildWatch watch;
    private final LibC libC;
    private final Memory attributes = new Memory(STRUCTURE_BYTES);

    /** Throws {@link LinkageError} or {@link IOException} where that is not possible. */
    PosixSpawn(ChildWatch watch) throws IOException {
        this.watch = watch;
        this.libC = LibC.get();
        byte[] all = new byte[SIGNAL_SET_BYTES];
        Arrays.fill(all, (byte) -1);
        check("posix_spawnattr_init", libC.posix_spawnattr_init(attributes));
        check("posix_spawnattr_setflags", libC.posix_spawnattr_setflags(attributes, (short)
                (SET_SIGNAL_MASK | SET_SESSION)));
        check("posix_spawnattr_setsigmask", libC.posix_spawnattr_setsigmask(attributes, all));
        try (Actions unused = new Actions()) {
            unused.changeTo(text("/"));
        }
        if (!watch.works()) {
            throw new IOException("this kernel has no handles of processes");
        }
    }

    /** Whether these can be handed over as they are: Java keeps bytes that are no text where it starts a program itself. */
    static boolean canHandOver(Map<String, String> environment) {
        return environment.entrySet().stream()
                .noneMatch(variable -> damaged(variable.getKey()) || damaged(variable.getValue()));
    }

    private static boolean damaged(String text) {
        return text.indexOf('\uFFFD') >= 0;
    }

    /**
     * Starts what this describes; its redirects are not looked at.
     *
     * @param held whether its standard input is held open as long as it and this process live; else it is empty
     */
    SpawnedChild start(ProcessBuilder program, boolean held) throws IOException {
        int[] output = pipe();
        int[] input = {SpawnedChild.NONE, SpawnedChild.NONE};
        boolean started = false;
        try {
            if (held) {
                input = pipe();
            }
            if (libC.fcntl(output[0], SET_FLAGS, NON_BLOCKING) != 0) {
                throw failure("fcntl", Native.getLastError());
            }
            int pid = start(program, input[0], output[1]);
            started = true;
            SpawnedChild child = new SpawnedChild(pid, output[0], input[1]);
            watch.add(child);
            return child;
        } finally {
            close(output[1]);
            close(input[0]);
            if (!started) {
                close(output[0]);
                close(input[1]);
            }
        }
    }

    private int start(ProcessBuilder program, int input, int output) throws IOException {
        byte[] path = text(program.command().get(0));
        try (Actions actions = new Actions();
                Texts words = new Texts(program.command());
                Texts environment = new Texts(variables(program.environment()))) {
            if (input == SpawnedChild.NONE) {
                actions.open(0, 0);
            } else {
                actions.move(input, 0);
            }
            actions.move(output, 1);
            actions.open(2, WRITE_ONLY);
            actions.changeTo(text(program.directory().getPath()));
            int[] pid = new int[1];
            int error = libC.posix_spawn(pid, path, actions.memory, attributes, words.memory, environment.memory);
            // While another child of ours was being born it held the program open for writing, as it was just written.
            for (int tries = 0; error == TEXT_BUSY && tries < BUSY_TRIES; tries++) {
                pause();
                error = libC.posix_spawn(pid, path, actions.memory, attributes, words.memory, environment.memory);
            }
            if (error != 0) {
                throw failure(
                        "Cannot run program \"" + program.command().get(0) + "\" (in directory \"" + program.directory()
                                + "\")",
                        error);
            }
            return pid[0];
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(BUSY_PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static List<String> variables(Map<String, String> environment) {
        List<String> variables = new ArrayList<>(environment.size());
        environment.forEach((name, value) -> variables.add(name + "=" + value));
        return variables;
    }

    /** Above the three that the child gets anew: else they would overwrite each other there. */
    private int[] pipe() throws IOException {
        int[] ends = new int[2];
        if (libC.pipe2(ends, CLOSE_ON_EXEC) != 0) {
            throw failure("pipe", Native.getLastError());
        }
        if (ends[0] < FIRST_FREE || ends[1] < FIRST_FREE) {
            close(ends[0]);
            close(ends[1]);
            throw new IOException("standard input, output or error of this process is closed");
        }
        return ends;
    }

    private void close(int descriptor) {
        if (descriptor >= 0 && libC.close(descriptor) != 0) {
            throw new IllegalStateException("descriptor " + descriptor + " could not be closed");
        }
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(NATIVE);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    private void check(String what, int error) throws IOException {
        if (error != 0) {
            throw failure(what, error);
        }
    }

    private IOException failure(String what, int error) {
        return new IOException(what + ": error=" + error + ", " + libC.strerror(error));
    }

    /** What the child does before it becomes the program. */
    private final class Actions implements AutoCloseable {
        private final Memory memory = new Memory(STRUCTURE_BYTES);

        Actions() throws IOException {
            check("posix_spawn_file_actions_init", libC.posix_spawn_file_actions_init(memory));
        }

        void move(int descriptor, int wanted) throws IOException {
            check("adddup2", libC.posix_spawn_file_actions_adddup2(memory, descriptor, wanted));
        }

        void open(int wanted, int flags) throws IOException {
            check("addopen", libC.posix_spawn_file_actions_addopen(memory, wanted, NOTHING, flags, 0));
        }

        void changeTo(byte[] folder) throws IOException {
            check("addchdir", libC.posix_spawn_file_actions_addchdir_np(memory, folder));
        }

        @Override
        public void close() throws IOException {
            check("posix_spawn_file_actions_destroy", libC.posix_spawn_file_actions_destroy(memory));
            memory.close();
        }
    }

    /** Texts as C has them: addresses, a zero address, and behind them the bytes. */
    private static final class Texts implements AutoCloseable {
        private final Memory memory;

        Texts(List<String> texts) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int[] offsets = new int[texts.size()];
            for (int at = 0; at < offsets.length; at++) {
                if (texts.get(at).indexOf('\0') >= 0) {
                    throw new IOException("invalid null character in command");
                }
                offsets[at] = bytes.size();
                bytes.writeBytes(text(texts.get(at)));
            }
            long table = (offsets.length + 1L) * Native.POINTER_SIZE;
            memory = new Memory(table + bytes.size());
            long first = Pointer.nativeValue(memory) + table;
            for (int at = 0; at < offsets.length; at++) {
                memory.setPointer((long) at * Native.POINTER_SIZE, new Pointer(first + offsets[at]));
            }
            memory.setPointer(table - Native.POINTER_SIZE, Pointer.NULL);
            memory.write(table, bytes.toByteArray(), 0, bytes.size());
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
