package dev.loopkeeper.store.postgres;

import dev.loopkeeper.work.Causes;
import dev.loopkeeper.work.TlsFailure;
import io.vertx.pgclient.PgException;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Why there is no connection, where that is known and does not pass by itself.
 *
 * @param what goes on after the name of the database, e.g. {@code does not exist}
 * @param remedy a sentence
 */
record ConnectTrouble(String what, String remedy) {
    /** Empty where it may be a matter of time. */
    static Optional<ConnectTrouble> of(Throwable cause) {
        if (cause instanceof PgException refused) {
            return refused(refused, String.valueOf(refused.getSqlState()));
        }
        if (Causes.first(cause, UnknownHostException.class).isPresent()) {
            return found("does not answer: its host is unknown", "Check the host in the address, and name resolution.");
        }
        return tls(cause);
    }

    private static Optional<ConnectTrouble> refused(PgException refused, String state) {
        if (state.equals("3D000")) {
            return found(
                    "does not exist (3D000)",
                    "Check its name in the address, or make it: createdb --encoding UTF8 --template template0.");
        }
        if (state.startsWith("28") && Causes.texts(refused).contains("no encryption")) {
            return found(
                    "refuses this user without TLS: " + PgTrouble.said(refused),
                    "Name the file with the certificate of its authority: --store-ca FILE; or let its pg_hba.conf have"
                            + " him without.");
        }
        if (state.startsWith("28")) {
            return found(
                    "refuses this user: " + PgTrouble.said(refused),
                    "Check the user in the address, the password in LOOPKEEPER_STORE_PASSWORD or"
                            + " --store-password-file, and the server's pg_hba.conf.");
        }
        return Optional.empty();
    }

    private static Optional<ConnectTrouble> tls(Throwable cause) {
        if (Causes.texts(cause).contains("does not handle ssl")) {
            return found(
                    "offers no TLS",
                    "Set ssl = on with a certificate at its server; or, over a network of your own, connect with"
                            + " --insecure-store.");
        }
        return TlsFailure.of(cause)
                .map(why -> new ConnectTrouble(
                        "cannot be reached by TLS: " + why,
                        "Check the certificate of its server, the host that it is for and the time of this machine; name"
                                + " the file with the certificate of its authority: --store-ca FILE."));
    }

    private static Optional<ConnectTrouble> found(String what, String remedy) {
        return Optional.of(new ConnectTrouble(what, remedy));
    }
}
