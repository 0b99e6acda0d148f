package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what the disk or SQLite refuses into a {@link StoreException} that says where and what helps. */
final class StoreTrouble {
    private static final int PRIMARY_CODE = 0xff;

    private final Path database;
    private volatile boolean damage;

    StoreTrouble(Path database) {
        this.database = database;
    }

    /** Whatever a write failed with before its commit; what is refused for a reason of its own stays as it is. */
    RuntimeException of(Throwable cause) {
        if (cause instanceof SQLException refused) {
            return of(refused);
        }
        return cause instanceof RuntimeException known
                ? known
                : new StoreException(database + ": writing failed: " + cause + ". Nothing was written.", cause);
    }

    /** A commit failed and nothing shows whether it is in the file. */
    StoreUnavailableException unknown(Throwable cause) {
        String message = database + ": the commit failed, and what it wrote may be there or not: "
                + of(cause).getMessage();
        return new StoreUnavailableException(message, cause);
    }

    StoreException of(SQLException cause) {
        if (notLoaded(cause)) {
            String folder = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
            return new StoreException(
                    "SQLite could not be unpacked into " + folder
                            + " and loaded from there. Make room on that disk (16 MiB), "
                            + "let programs of it be executed (no noexec) and files be as large (ulimit -f); nothing was written.",
                    cause);
        }
        return new StoreException(database + ": " + cause.getMessage() + ". " + remedy(primaryCode(cause)), cause);
    }

    /** The driver says no more than that; its own words are in its log. */
    private static boolean notLoaded(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NativeLibraryNotFoundException) {
                return true;
            }
        }
        return false;
    }

    /** Whether damage was found since the file was opened. */
    boolean foundDamage() {
        return damage;
    }

    /** The content is not what was once written. {@code what} is a sentence's subject, e.g. {@code event 7 of run r}. */
    StoreException damaged(String what) {
        damage = true;
        String message = database + ": " + what + " is damaged. Other runs are not affected. "
                + "Stop Loopkeeper and restore the file from a backup, or remove the run with prune.";
        return new StoreException(message, null);
    }

    private static int primaryCode(SQLException cause) {
        SQLiteErrorCode code = cause instanceof SQLiteException known ? known.getResultCode() : null;
        return (code == null ? cause.getErrorCode() : code.code) & PRIMARY_CODE;
    }

    private String remedy(int code) {
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return "Make room on the disk; nothing was written, and writing goes on by itself.";
        }
        if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
            return "Make the file and its folder writable for this user; nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            damage = true;
            return "The file is damaged and was left as it is. Restore it from a backup, "
                    + "or move it aside with its -wal file to begin without its runs.";
        }
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
            return "Another process holds the file; end it and try again. Nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_CANTOPEN.code) {
            return "Check that the folder exists and that this user may read and write in it.";
        }
        return "Check the disk and the rights on the file; nothing was written.";
    }
}
