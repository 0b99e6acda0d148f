package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.Optional;
import java.util.Set;

/** Translates errors of the client and the server into an unavailable store or a refusal. */
final class PgFailures {
    /**
     * SQL states of a server that shuts down, fails over, has no free connection, or could not answer in time because
     * of a lock.
     */
    private static final Set<String> UNAVAILABLE =
            Set.of("57P01", "57P02", "57P03", "57P05", "53300", "57014", "55P03", "40001", "40P01", "25006", "25P03");

    private static final String CONNECTION = "08";
    private static final String DISK_FULL = "53100";
    private static final String NO_COLUMN = "42703";
    private static final String NO_TABLE = "42P01";

    private final String database;
    private final Optional<StoreTrust> trust;

    /**
     * @param database name for people, without secrets
     * @param trust verifies the server's certificate
     */
    PgFailures(String database, Optional<StoreTrust> trust) {
        this.database = database;
        this.trust = trust;
    }

    /** Returns the database's name for people, without secrets. */
    String database() {
        return database;
    }

    /** Returns the failure that callers get for a failed query. */
    RuntimeException of(Throwable cause) {
        if (cause instanceof PgException refused) {
            return of(refused);
        }
        // A VertxException means a closed connection. Any other is a refusal or a bug in Loopkeeper.
        boolean ours = cause instanceof RuntimeException && !(cause instanceof VertxException);
        return ours ? (RuntimeException) cause : unavailable(cause);
    }

    /** Returns the failure of an append that broke before it was sent. */
    RuntimeException unwritten(Throwable cause) {
        return cause instanceof RuntimeException known
                ? known
                : new StoreException(
                        database + ": an append could not be encoded: " + cause + ". Nothing was written.", cause);
    }

    private RuntimeException of(PgException refused) {
        return isUnavailable(refused) ? unavailable(refused) : rejected(refused);
    }

    /** Returns whether the state is temporary and independent of the statement. */
    static boolean isUnavailable(PgException refused) {
        String state = String.valueOf(refused.getSqlState());
        return state.startsWith(CONNECTION) || UNAVAILABLE.contains(state);
    }

    /**
     * Returns the failure of a connection attempt. It is always temporary, since no statement was sent: even after a
     * wrong password the session retries, and no run ends.
     */
    StoreUnavailableException connecting(Throwable cause) {
        if (cause instanceof StoreUnavailableException known) {
            return known;
        }
        Throwable reason = trust.<Throwable>flatMap(StoreTrust::refused).orElse(cause);
        return ConnectFailure.of(reason)
                .map(found ->
                        new StoreUnavailableException(database + " " + found.what() + ". " + found.remedy(), reason))
                .orElseGet(() -> unavailable(reason));
    }

    /** Turns a failure that waiting does not cure into a refusal, for a start at which no run is executing yet. */
    static Throwable atStart(Throwable refused) {
        boolean permanent = refused instanceof StoreUnavailableException unavailable
                && ConnectFailure.of(unavailable.getCause()).isPresent();
        return permanent ? new StoreException(refused.getMessage() + " Nothing was changed.", refused) : refused;
    }

    StoreUnavailableException unavailable(Throwable cause) {
        return new StoreUnavailableException(database + " does not answer: " + text(cause), cause);
    }

    /** Returns the server's message, which contains no values. */
    static String text(Throwable cause) {
        if (cause instanceof PgException refused) {
            return refused.getErrorMessage() + " (" + refused.getSqlState() + ")";
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    StoreException rejected(PgException refused) {
        String remedy = switch (String.valueOf(refused.getSqlState())) {
            case DISK_FULL -> "Free disk space on the database server; nothing was written.";
            case NO_COLUMN, NO_TABLE ->
                "Another version of Loopkeeper or another program has written these tables. Use the Loopkeeper"
                        + " that wrote them, or name another database; nothing was written.";
            default -> "Check the database, its user's rights and its log; nothing was written.";
        };
        return new StoreException(database + ": " + text(refused) + ". " + remedy, refused);
    }

    /**
     * Returns the failure for content with a wrong checksum. {@code what} is a sentence's subject, e.g. {@code event 7
     * of run r}.
     */
    StoreException damaged(String what) {
        String message = database + ": " + what + " is damaged. Other runs are not affected. "
                + "Restore the database from a backup, or remove the run with prune.";
        return StoreException.ofDamagedRecord(message);
    }

    StoreException refusal(String what) {
        return new StoreException(database + " " + what, null);
    }
}
