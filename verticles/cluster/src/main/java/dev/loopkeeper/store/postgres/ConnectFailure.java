package dev.loopkeeper.store.postgres;

import dev.loopkeeper.work.Causes;
import dev.loopkeeper.work.TlsFailure;
import io.vertx.pgclient.PgException;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * A reason for a failed connection that waiting does not cure.
 *
 * @param what continues the name of the database, e.g. {@code does not exist}
 * @param remedy a complete sentence
 */
record ConnectFailure(String what, String remedy) {
    /** Returns the reason, or empty if the failure may be temporary. */
    static Optional<ConnectFailure> of(Throwable cause) {
        if (cause instanceof PgException refused) {
            return refused(refused, String.valueOf(refused.getSqlState()));
        }
        if (Causes.first(cause, UnknownHostException.class).isPresent()) {
            return found(
                    "does not answer: the host name cannot be resolved",
                    "Check the host in the store's URL, and name resolution.");
        }
        return tls(cause);
    }

    private static Optional<ConnectFailure> refused(PgException refused, String state) {
        if (state.equals("3D000")) {
            return found(
                    "does not exist (3D000)",
                    "Check its name in the store's URL, or create it: createdb --encoding UTF8 --template template0.");
        }
        if (state.startsWith("28") && Causes.texts(refused).contains("no encryption")) {
            return found(
                    "refuses this user without TLS: " + PgFailures.text(refused),
                    "Pass --store-ca FILE with the certificate of its authority; or permit this user without TLS in"
                            + " the server's pg_hba.conf.");
        }
        if (state.startsWith("28")) {
            return found(
                    "refuses this user: " + PgFailures.text(refused),
                    "Check the user in the store's URL, the password in LOOPKEEPER_STORE_PASSWORD or"
                            + " --store-password-file, and the server's pg_hba.conf.");
        }
        return Optional.empty();
    }

    private static Optional<ConnectFailure> tls(Throwable cause) {
        if (Causes.texts(cause).contains("does not handle ssl")) {
            return found(
                    "offers no TLS",
                    "Configure a certificate and ssl = on at the server; or, in a private network, pass"
                            + " --insecure-store.");
        }
        return TlsFailure.of(cause)
                .map(why -> new ConnectFailure(
                        "cannot be reached with TLS: " + why,
                        "Check the server's certificate, the host that it names, and the clock of this machine; pass"
                                + " --store-ca FILE with the certificate of its authority."));
    }

    private static Optional<ConnectFailure> found(String what, String remedy) {
        return Optional.of(new ConnectFailure(what, remedy));
    }
}
