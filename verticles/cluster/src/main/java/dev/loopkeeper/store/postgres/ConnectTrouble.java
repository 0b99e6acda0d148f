package dev.loopkeeper.store.postgres;

import io.vertx.pgclient.PgException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Why there is no connection, where that is known and does not pass by itself.
 *
 * @param what goes on after the name of the database, e.g. {@code does not exist}
 * @param remedy a sentence
 */
record ConnectTrouble(String what, String remedy) {
    private static final String CERTIFICATE = "Have its server show a certificate";

    /** Empty where it may be a matter of time. */
    static Optional<ConnectTrouble> of(Throwable cause) {
        if (cause instanceof PgException refused) {
            return refused(refused, String.valueOf(refused.getSqlState()));
        }
        if (first(cause, UnknownHostException.class).isPresent()) {
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
        if (state.startsWith("28") && texts(refused).contains("no encryption")) {
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
        String all = texts(cause);
        if (all.contains("does not handle ssl")) {
            return found(
                    "offers no TLS",
                    "Set ssl = on with a certificate at its server; or, over a network of your own, connect with"
                            + " --insecure-store.");
        }
        if (first(cause, CertificateExpiredException.class).isPresent()) {
            return found(
                    "shows a certificate that has expired",
                    CERTIFICATE + " that is valid now, and check the time of" + " this machine.");
        }
        if (first(cause, CertificateNotYetValidException.class).isPresent()) {
            return found(
                    "shows a certificate that is not valid yet",
                    "Check the time of this machine and of the" + " certificate.");
        }
        if (all.contains("no subject alternative") || all.contains("no name matching")) {
            return found(
                    "shows a certificate of another host",
                    CERTIFICATE + " with the host of the address among its subject alternative names, or name the host"
                            + " that it has.");
        }
        if (all.contains("unable to find valid certification path")
                || first(cause, CertPathValidatorException.class).isPresent()) {
            return found(
                    "shows a certificate that nobody who is trusted has signed",
                    "Name the file with the certificate of its authority: --store-ca FILE.");
        }
        if (all.contains("ssl handshake failed")) {
            return found("does not agree on TLS with this Java: " + cause.getMessage(), "Check its log.");
        }
        return first(cause, SSLException.class)
                .or(() -> first(cause, CertificateException.class))
                .flatMap(refused -> found(
                        "cannot be reached by TLS: " + refused.getMessage(),
                        "Check its certificate" + " and its log."));
    }

    private static Optional<ConnectTrouble> found(String what, String remedy) {
        return Optional.of(new ConnectTrouble(what, remedy));
    }

    private static Stream<Throwable> chain(Throwable cause) {
        return Stream.iterate(cause, known -> known != null, Throwable::getCause)
                .limit(20);
    }

    private static Optional<Throwable> first(Throwable cause, Class<? extends Throwable> kind) {
        return chain(cause).filter(kind::isInstance).findFirst();
    }

    private static String texts(Throwable cause) {
        return chain(cause)
                .map(known -> String.valueOf(known.getMessage()))
                .reduce("", (before, more) -> before + '\n' + more)
                .toLowerCase(Locale.ROOT);
    }
}
