package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what the disk or SQLite refuses into a {@link StoreException} that says where and what helps. */
final class StoreTrouble {
    private static final int PRIMARY_CODE = 0xff;

    private final Path database;

    StoreTrouble(Path database) {
        this.database = database;
    }

    StoreException of(SQLException cause) {
        return new StoreException(database + ": " + cause.getMessage() + ". " + remedy(primaryCode(cause)), cause);
    }

    /** The content is not what was once written. {@code what} is a sentence's subject, e.g. {@code event 7 of run r}. */
    StoreException damaged(String what) {
        String message = database + ": " + what + " is damaged. Other runs are not affected. "
                + "Stop Loopkeeper and restore the file from a backup, or remove the run with prune.";
        return new StoreException(message, null);
    }

    private static int primaryCode(SQLException cause) {
        SQLiteErrorCode code = cause instanceof SQLiteException known ? known.getResultCode() : null;
        return (code == null ? cause.getErrorCode() : code.code) & PRIMARY_CODE;
    }

    private static String remedy(int code) {
        if (code == SQLiteErrorCode.SQLITE_FULL.code) {
            return "Make room on the disk; nothing was written, and writing goes on by itself.";
        }
        if (code == SQLiteErrorCode.SQLITE_READONLY.code || code == SQLiteErrorCode.SQLITE_PERM.code) {
            return "Make the file and its folder writable for this user; nothing was written.";
        }
        if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
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
