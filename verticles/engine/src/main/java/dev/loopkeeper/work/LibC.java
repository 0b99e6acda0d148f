package dev.loopkeeper.work;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;

/**
 * Binds the functions of the C library that Loopkeeper uses. The first call loads the library
 * and must be on a worker.
 */
public interface LibC extends Library {
    /** See kill(2). */
    int kill(int pid, int signal);

    /** See open(2). */
    int open(String path, int flags);

    /** See strerror(3). */
    String strerror(int number);

    /** See close(2). */
    int close(int descriptor);

    /** See fallocate(2). */
    int fallocate(int descriptor, int mode, NativeLong offset, NativeLong length);

    /** See syscall(2). */
    NativeLong syscall(NativeLong number, Object... arguments);

    /** The library. */
    static LibC get() {
        return Loaded.LIBC;
    }

    /** Loads it once. */
    final class Loaded {
        private static final LibC LIBC = Native.load("c", LibC.class);

        private Loaded() {}
    }
}
