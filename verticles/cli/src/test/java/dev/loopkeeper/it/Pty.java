package dev.loopkeeper.it;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A pseudo-terminal: what is written to its file is read here, and the other way round. */
final class Pty implements AutoCloseable {
    private static final int READ_WRITE = 2;
    private static final int NOT_OURS = 0x100;
    private static final int NOT_INHERITED = 0x80000;
    private static final long SET_SIZE = 0x5414;
    private static final int CHUNK = 4096;
    /** Flags of input and output, control, local: four numbers of four bytes. */
    private static final int FLAGS = 16;

    private final int master;
    private final int slave;
    private final String name;

    /** The C library; each method as in its manual. */
    @SuppressWarnings("MemberName") // the C library's own names, by which they are found
    public interface Calls extends Library {
        Calls LIBRARY = Native.load("c", Calls.class);

        int posix_openpt(int flags);

        int grantpt(int descriptor);

        int unlockpt(int descriptor);

        int ptsname_r(int descriptor, byte[] name, NativeLong length);

        int open(String name, int flags);

        NativeLong read(int descriptor, byte[] bytes, NativeLong count);

        NativeLong write(int descriptor, byte[] bytes, NativeLong count);

        int ioctl(int descriptor, NativeLong request, short[] argument);

        int tcgetattr(int descriptor, byte[] attributes);

        int close(int descriptor);
    }

    Pty(int columns, int rows) throws IOException {
        Calls calls = Calls.LIBRARY;
        master = checked(calls.posix_openpt(READ_WRITE | NOT_OURS | NOT_INHERITED));
        checked(calls.grantpt(master));
        checked(calls.unlockpt(master));
        byte[] bytes = new byte[CHUNK];
        checked(calls.ptsname_r(master, bytes, new NativeLong(bytes.length)));
        name = Native.toString(bytes);
        // Held, so that what a program wrote last is read also when it has ended.
        slave = checked(calls.open(name, READ_WRITE | NOT_OURS | NOT_INHERITED));
        resize(columns, rows);
    }

    private static int checked(int answer) throws IOException {
        if (answer < 0) {
            throw new IOException("a pseudo-terminal cannot be had, error " + Native.getLastError());
        }
        return answer;
    }

    /** E.g. {@code /dev/pts/3}. */
    String name() {
        return name;
    }

    /** What was written next; none when it was closed. */
    byte[] read() {
        byte[] bytes = new byte[CHUNK];
        int count = Calls.LIBRARY.read(master, bytes, new NativeLong(CHUNK)).intValue();
        return Arrays.copyOf(bytes, Math.max(0, count));
    }

    void type(String keys) throws IOException {
        byte[] bytes = keys.getBytes(StandardCharsets.UTF_8);
        checked(Calls.LIBRARY.write(master, bytes, new NativeLong(bytes.length)).intValue());
    }

    void resize(int columns, int rows) throws IOException {
        checked(Calls.LIBRARY.ioctl(
                master, new NativeLong(SET_SIZE), new short[] {(short) rows, (short) columns, 0, 0}));
    }

    /** How it treats keys and lines. */
    byte[] flags() throws IOException {
        byte[] attributes = new byte[256];
        checked(Calls.LIBRARY.tcgetattr(slave, attributes));
        return Arrays.copyOf(attributes, FLAGS);
    }

    /** Nothing is written any more, and readers get an error. */
    void hangUp() throws IOException {
        checked(Calls.LIBRARY.close(slave));
    }

    /** When no program reads any more. */
    @Override
    public void close() throws IOException {
        checked(Calls.LIBRARY.close(master));
    }
}
