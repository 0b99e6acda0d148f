package dev.loopkeeper.work;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Why a server could not be connected with by TLS. */
public enum TlsTrouble {
    EXPIRED("shows a certificate that has expired"),
    NOT_YET_VALID("shows a certificate that is not valid yet"),
    OTHER_HOST("shows a certificate of another host"),
    UNTRUSTED("shows a certificate that nobody who is trusted has signed"),
    NOT_OFFERED("offers no TLS"),
    NOT_AGREED("does not agree on TLS with this Java"),
    OTHER("cannot be reached by TLS");

    private final String what;

    TlsTrouble(String what) {
        this.what = what;
    }

    /** What goes on after the name of the server. */
    public String what() {
        return what;
    }

    /** Empty where the failure is none of TLS. */
    public static Optional<TlsTrouble> of(Throwable failure) {
        String all = Causes.texts(failure);
        if (is(failure, CertificateExpiredException.class)) {
            return Optional.of(EXPIRED);
        }
        if (is(failure, CertificateNotYetValidException.class)) {
            return Optional.of(NOT_YET_VALID);
        }
        if (all.contains("no subject alternative") || all.contains("no name matching")) {
            return Optional.of(OTHER_HOST);
        }
        if (all.contains("unable to find valid certification path") || is(failure, CertPathValidatorException.class)) {
            return Optional.of(UNTRUSTED);
        }
        if (is(failure, NotSslRecordException.class)) {
            return Optional.of(NOT_OFFERED);
        }
        if (all.contains("ssl handshake failed")) {
            return Optional.of(NOT_AGREED);
        }
        return is(failure, SSLException.class) || is(failure, CertificateException.class)
                ? Optional.of(OTHER)
                : Optional.empty();
    }

    private static boolean is(Throwable failure, Class<? extends Throwable> kind) {
        return Causes.first(failure, kind).isPresent();
    }
}
