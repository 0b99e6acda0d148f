package dev.loopkeeper.process.tree;

import com.sun.jna.NativeLong;
import dev.loopkeeper.work.LibC;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists all processes, including kernel threads. Uses the getdents64 system call if possible, because only it returns
 * inodes, and is fast. Blocks; for one thread at a time.
 */
final class ProcListing {
    private static final String ROOT = "/proc";
    private static final Map<String, Long> GETDENTS64 = Map.of("amd64", 217L, "x86_64", 217L, "aarch64", 61L);
    private static final long NONE = -1;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int BYTES = 32 * 1024;
    /** {@code struct linux_dirent64}: inode, offset, record length, type, name. */
    private static final int LENGTH_AT = 16;

    private static final int NAME_AT = 19;

    private final long call = GETDENTS64.getOrDefault(System.getProperty("os.arch"), NONE);
    private final ByteBuffer records = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

    /** Throws {@link UncheckedIOException} if processes cannot be listed. */
    List<ProcEntry> entries() {
        return asked().orElseGet(ProcListing::listed);
    }

    private Optional<List<ProcEntry>> asked() {
        if (call == NONE) {
            return Optional.empty();
        }
        try {
            int folder = LibC.get().open(ROOT, CLOSE_ON_EXEC);
            return folder < 0 ? Optional.empty() : readAndClose(folder);
        } catch (LinkageError noNativeCalls) {
            return Optional.empty();
        }
    }

    private Optional<List<ProcEntry>> readAndClose(int folder) {
        try {
            return read(folder);
        } finally {
            close(folder);
        }
    }

    private static void close(int folder) {
        if (LibC.get().close(folder) != 0) {
            throw new IllegalStateException("descriptor " + folder + " could not be closed");
        }
    }

    /** Returns empty if a part is unreadable, because missing processes would look gone. */
    private Optional<List<ProcEntry>> read(int folder) {
        List<ProcEntry> entries = new ArrayList<>();
        int length = next(folder);
        while (length > 0) {
            collect(length, entries);
            length = next(folder);
        }
        return length == 0 && !entries.isEmpty() ? Optional.of(entries) : Optional.empty();
    }

    private int next(int folder) {
        return LibC.get().syscall(new NativeLong(call), folder, records, BYTES).intValue();
    }

    private void collect(int length, List<ProcEntry> entries) {
        int record = 0;
        while (record < length) {
            int recordLength = Short.toUnsignedInt(records.getShort(record + LENGTH_AT));
            long pid = pid(record + NAME_AT);
            if (pid > 0) {
                entries.add(new ProcEntry(pid, records.getLong(record)));
            }
            record += recordLength;
        }
    }

    /** Parses the zero-terminated number at this offset; 0 if it is not a number. */
    private long pid(int at) {
        long pid = 0;
        int position = at;
        byte letter = records.get(position);
        while (letter >= '0' && letter <= '9') {
            pid = pid * 10 + (letter - '0');
            position++;
            letter = records.get(position);
        }
        return letter == 0 ? pid : 0;
    }

    private static List<ProcEntry> listed() {
        String[] names = new File(ROOT).list((root, name) -> name.charAt(0) >= '0' && name.charAt(0) <= '9');
        if (names == null) {
            throw new UncheckedIOException(new IOException("/proc cannot be listed"));
        }
        List<ProcEntry> entries = new ArrayList<>(names.length);
        for (String name : names) {
            entries.add(new ProcEntry(Long.parseLong(name), ProcEntry.UNKNOWN));
        }
        return entries;
    }
}
