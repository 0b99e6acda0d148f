package dev.loopkeeper.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;

/**
 * What HTTPS is served with, both PEM.
 *
 * @param certificate the certificate, with its chain if there is one
 * @param key its private key, PKCS#8, without a password
 */
public record TlsFiles(Path certificate, Path key) {
    PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString());
    }

    /** Reads both; blocking. Fails with what keeps HTTPS from being served with them. */
    void check(Vertx vertx) throws Exception {
        if (options().getKeyManagerFactory(vertx) == null) {
            throw new IllegalStateException("no key was found");
        }
    }

    /** What to do about such a failure. */
    static String advice(Throwable cause) {
        return "check the TLS files, both PEM, the key PKCS#8 without a password (" + cause.getMessage() + ")";
    }
}
