package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.Optional;
import java.util.Set;

/** Tells a database that cannot be reached for a while from one that refuses. */
final class PgTrouble {
    /** Shut down, restarted, failed over, without a free connection, or kept from an answer by somebody else's lock. */
    private static final Set<String> AWAY =
            Set.of("57P01", "57P02", "57P03", "57P05", "53300", "57014", "55P03", "40001", "40P01", "25006", "25P03");

    private static final String CONNECTION = "08";
    private static final String DISK_FULL = "53100";

    private final String database;
    private final Optional<StoreTrust> trust;

    /**
     * @param database as people know it, without secrets
     * @param trust who judges its certificate
     */
    PgTrouble(String database, Optional<StoreTrust> trust) {
        this.database = database;
        this.trust = trust;
    }

    /** As people know it, without secrets. */
    String database() {
        return database;
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

    /** An append broke before anything was sent. */
    RuntimeException unwritten(Throwable cause) {
        return cause instanceof RuntimeException known
                ? known
                : new StoreException(
                        database + ": an append could not be made: " + cause + ". Nothing was written.", cause);
    }

    private RuntimeException of(PgException refused) {
        return isAway(refused) ? away(refused) : broken(refused);
    }

    /** Whether it says nothing of what was asked. */
    static boolean isAway(PgException refused) {
        String state = String.valueOf(refused.getSqlState());
        return state.startsWith(CONNECTION) || AWAY.contains(state);
    }

    /**
     * What a connection failed with. Nothing was asked yet, so this says nothing of what is kept: even a password that is
     * no longer the right one is waited for, and no run ends by it.
     */
    StoreAwayException connecting(Throwable cause) {
        if (cause instanceof StoreAwayException known) {
            return known;
        }
        Throwable reason = trust.<Throwable>flatMap(StoreTrust::refused).orElse(cause);
        return ConnectTrouble.of(reason)
                .map(found -> new StoreAwayException(database + " " + found.what() + ". " + found.remedy(), reason))
                .orElseGet(() -> away(reason));
    }

    /** Where nothing runs yet, what does not pass by itself is refused. */
    static Throwable atStart(Throwable refused) {
        boolean lasting = refused instanceof StoreAwayException away
                && ConnectTrouble.of(away.getCause()).isPresent();
        return lasting ? new StoreException(refused.getMessage() + " Nothing was changed.", refused) : refused;
    }

    StoreAwayException away(Throwable cause) {
        return new StoreAwayException(database + " does not answer: " + said(cause), cause);
    }

    /** Text of the server, which does not name values. */
    static String said(Throwable cause) {
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
