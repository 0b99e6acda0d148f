package dev.loopkeeper.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

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
        KeyManagerFactory factory = options().getKeyManagerFactory(vertx);
        if (factory == null) {
            throw new IllegalStateException("no key was found");
        }
        for (KeyManager manager : factory.getKeyManagers()) {
            if (manager instanceof X509KeyManager held) {
                requireMatch(held);
            }
        }
    }

    /** With the key of another certificate it would be served all the same, and nobody could connect. */
    private void requireMatch(X509KeyManager held) throws IOException, GeneralSecurityException {
        PublicKey certified = certified();
        String[] names = held.getServerAliases(certified.getAlgorithm(), null);
        if (names != null && names.length > 0 && !MatchingKey.matches(held.getPrivateKey(names[0]), certified)) {
            throw new IllegalStateException(
                    key + " is not the key of " + certificate + "; name the two that were made together");
        }
    }

    private PublicKey certified() throws IOException, GeneralSecurityException {
        try (InputStream content = Files.newInputStream(certificate)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(content)
                    .getPublicKey();
        }
    }

    /** What to do about such a failure. */
    static String advice(Throwable cause) {
        return "check the TLS files, both PEM, the key PKCS#8 without a password (" + cause.getMessage() + ")";
    }
}
