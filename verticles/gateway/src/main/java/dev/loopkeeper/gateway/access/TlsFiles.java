package dev.loopkeeper.gateway.access;

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
 * PEM files for HTTPS.
 *
 * @param certificate certificate, with its chain if there is one
 * @param key private key, PKCS#8 without a password
 */
public record TlsFiles(Path certificate, Path key) {
    public PemKeyCertOptions options() {
        return new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString());
    }

    /** Reads both files. Blocks; fails with the reason why they cannot be used. */
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

    /** The server would start with the key of another certificate, but no client could connect. */
    private void requireMatch(X509KeyManager held) throws IOException, GeneralSecurityException {
        PublicKey certified = certified();
        String[] names = held.getServerAliases(certified.getAlgorithm(), null);
        if (names != null && names.length > 0 && !MatchingKey.matches(held.getPrivateKey(names[0]), certified)) {
            throw new IllegalStateException(key + " is not the key of " + certificate + "; name a matching pair");
        }
    }

    private PublicKey certified() throws IOException, GeneralSecurityException {
        try (InputStream content = Files.newInputStream(certificate)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(content)
                    .getPublicKey();
        }
    }

    /** Returns what to do about a TLS failure. */
    public static String advice(Throwable cause) {
        return "check the TLS files, both PEM, the key PKCS#8 without a password (" + cause.getMessage() + ")";
    }
}
