package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.Set;

/** Tells a database that cannot be reached for a while from one that refuses. */
final class PgTrouble {
    /** Shut down, restarted, failed over, without a free connection, or kept from an answer by somebody else's lock. */
    private static final Set<String> AWAY =
            Set.of("57P01", "57P02", "57P03", "57P05", "53300", "57014", "55P03", "40001", "40P01", "25006", "25P03");

    private static final String CONNECTION = "08";
    private static final String DISK_FULL = "53100";

    private final String database;

    /** @param database as people know it, without secrets */
    PgTrouble(String database) {
        this.database = database;
    }

    /** What a question failed with. */
    RuntimeException of(Throwable cause) {
        if (cause instanceof PgException refused) {
            return of(refused);
        }
        // Of the client: a connection that was closed. Any other is an answer or a flaw of ours.
        boolean ours = cause instanceof RuntimeException && !(cause instanceof VertxException);
        return ours ? (RuntimeException) cause : away(cause);
    }

    private RuntimeException of(PgException refused) {
        return isAway(refused) ? away(refused) : broken(refused);
    }

    /** Whether it says nothing of what was asked. */
    static boolean isAway(PgException refused) {
        String state = String.valueOf(refused.getSqlState());
        return state.startsWith(CONNECTION) || AWAY.contains(state);
    }

    StoreAwayException away(Throwable cause) {
        return new StoreAwayException(database + " does not answer: " + said(cause), cause);
    }

    /** Text of the server, which does not name values. */
    private static String said(Throwable cause) {
        if (cause instanceof PgException refused) {
            return refused.getErrorMessage() + " (" + refused.getSqlState() + ")";
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    StoreException broken(PgException refused) {
        String remedy = DISK_FULL.equals(refused.getSqlState())
                ? "Make room on the database's disk; nothing was written, and writing goes on by itself."
                : "Check the database, its user's rights and its log; nothing was written.";
        return new StoreException(database + ": " + said(refused) + ". " + remedy, refused);
    }

    /** The content is not what was once written. {@code what} is a sentence's subject, e.g. {@code event 7 of run r}. */
    StoreException damaged(String what) {
        String message = database + ": " + what + " is damaged. Other runs are not affected. "
                + "Restore the database from a backup, or remove the run with prune.";
        return new StoreException(message, null);
    }

    StoreException refusal(String what) {
        return new StoreException(database + " " + what, null);
    }
}
