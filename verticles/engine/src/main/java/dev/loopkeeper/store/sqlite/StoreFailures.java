package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translates failures of SQLite and the disk into {@link StoreException}s with a path and a remedy. */
final class StoreFailures {
    private static final int PRIMARY_CODE = 0xff;

    private final Path database;
    private volatile boolean damage;

    StoreFailures(Path database) {
        this.database = database;
    }

    /**
     * Returns the failure of a write before its commit; a refusal with its own reason stays as it is. Another program's
     * lock has an end, so that the store is unavailable only.
     */
    RuntimeException of(Throwable cause) {
        if (cause instanceof SQLException refused) {
            StoreException known = of(refused);
            return isLocked(primaryCode(refused)) ? new StoreUnavailableException(known.getMessage(), cause) : known;
        }
        return cause instanceof RuntimeException known
                ? known
                : new StoreException(database + ": a write failed: " + cause + ". Nothing was written.", cause);
    }

    /** Returns the failure of a commit whose result is unknown. */
    StoreUnavailableException unknown(Throwable cause) {
        String message = database + ": the commit failed, and its writes may or may not be in the file: "
                + of(cause).getMessage();
        return new StoreUnavailableException(message, cause);
    }

    StoreException of(SQLException cause) {
        if (notLoaded(cause)) {
            String folder = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
            return new StoreException(
                    "SQLite could not be unpacked into " + folder
                            + " and loaded from there. Free 16 MiB of disk space there, "
                            + "mount it without noexec, and permit files of that size (ulimit -f); nothing was written.",
                    cause);
        }
        return new StoreException(database + ": " + cause.getMessage() + ". " + remedy(primaryCode(cause)), cause);
    }

    /** The driver's exception has no reason; its log has. */
    private static boolean notLoaded(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NativeLibraryNotFoundException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether damage was found since the file was opened. */
    boolean foundDamage() {
        return damage;
    }

    /**
     * Returns the failure for content with a wrong checksum. {@code what} is a sentence's subject, e.g.
     * {@code event 7 of run r}.
     */
    StoreException damaged(String what) {
        damage = true;
        String message = database + ": " + what + " is damaged. Other runs are not affected. "
                + "Stop Loopkeeper and restore the file from a backup, or remove the run with prune.";
        return StoreException.ofDamagedRecord(message);
    }

    private static int primaryCode(SQLException cause) {
        SQLiteErrorCode code = cause instanceof SQLiteException known ? known.getResultCode() : null;
        return (code == null ? cause.getErrorCode() : code.code) & PRIMARY_CODE;
    }

    private static boolean isLocked(int code) {
        return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
    }

    private String remedy(int code) {
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return "Free disk space; nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
            return "Make the file and its folder writable for this user; nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            damage = true;
            return "The file is damaged and was left as it is. Restore it from a backup, "
                    + "or move it aside with its -wal file to begin without its runs.";
        }
        if (isLocked(code)) {
            return "Another process has locked the file; end that process and retry. Nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            return "Check that the folder exists and that this user may read and write it.";
        }
        if (code == SQLiteErrorCode.SQLITE_ERROR.code) {
            return "Another version of Loopkeeper or another program has written these tables. Use the Loopkeeper that "
                    + "wrote them, or name another data folder; nothing was written.";
        }
        return "Check the disk and the file's permissions; nothing was written.";
    }
}
