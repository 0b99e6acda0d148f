package dev.loopkeeper.work;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Describes why a TLS connection to a server failed. */
public final class TlsFailure {
    private TlsFailure() {}

    /** E.g. {@code unable to find valid certification path to requested target}; empty where TLS did not fail. */
    public static Optional<String> of(Throwable failure) {
        if (Causes.first(failure, NotSslRecordException.class).isPresent()) {
            return Optional.of("the answer is not TLS");
        }
        boolean ofTls = Stream.of(SSLException.class, CertificateException.class, CertPathValidatorException.class)
                .anyMatch(kind -> Causes.first(failure, kind).isPresent());
        return ofTls ? Optional.of(Causes.innermost(failure)) : Optional.empty();
    }
}
