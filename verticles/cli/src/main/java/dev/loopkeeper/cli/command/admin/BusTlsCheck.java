package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.BusTls;
import dev.loopkeeper.gateway.access.MatchingKey;
import dev.loopkeeper.work.Causes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Checks the files of {@code --cluster-tls-*} before they are used, since a failed handshake would not say which one is
 * wrong.
 */
final class BusTlsCheck {
    private static final String CERTIFICATE = "--cluster-tls-certificate";
    private static final String KEY = "--cluster-tls-key";
    private static final String TRUST = "--cluster-tls-trust";
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private final BusTls files;

    BusTlsCheck(BusTls files) {
        this.files = files;
    }

    /** Refuses files that cannot be read, and certificates that other nodes would reject. */
    void require() {
        List<X509Certificate> trusted = certificates(TRUST, files.trust());
        List<X509Certificate> own = certificates(CERTIFICATE, files.certificate());
        requireKey(own.get(0));
        requireTrusted(own, trusted);
    }

    private static String content(String option, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw CommandFailure.refused(option + " " + file + " cannot be read ("
                    + Words.oneLine(unreadable.toString()) + "); check the path and its rights");
        }
    }

    private static List<X509Certificate> certificates(String option, Path file) {
        byte[] content = content(option, file).getBytes(StandardCharsets.ISO_8859_1);
        try {
            List<X509Certificate> found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(content))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException malformed) {
            throw noCertificate(option, file);
        }
        throw noCertificate(option, file);
    }

    private static CommandFailure noCertificate(String option, Path file) {
        return CommandFailure.refused(option + " " + file
                + " contains no certificate; name a PEM file with"
                + " -----BEGIN CERTIFICATE-----");
    }

    private void requireKey(X509Certificate certificate) {
        Matcher pem = PKCS8.matcher(content(KEY, files.key()));
        if (!pem.find()) {
            throw CommandFailure.refused(KEY + " " + files.key() + " holds no private key in PKCS#8 without a password,"
                    + " which begins with -----BEGIN PRIVATE KEY-----; make one of it with: openssl pkcs8 -topk8 -nodes"
                    + " -in OLD -out NEW");
        }
        boolean matches;
        try {
            PrivateKey key = KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1))));
            matches = MatchingKey.matches(key, certificate.getPublicKey());
        } catch (GeneralSecurityException | IllegalArgumentException ofAnotherKind) {
            matches = false;
        }
        if (!matches) {
            throw CommandFailure.refused(KEY + " " + files.key() + " is not the key of " + CERTIFICATE + " "
                    + files.certificate() + "; name a matching pair");
        }
    }

    private void requireTrusted(List<X509Certificate> own, List<X509Certificate> trusted) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (X509Certificate authority : trusted) {
                store.setCertificateEntry(Integer.toString(store.size()), authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager judge) {
                    judge.checkServerTrusted(own.toArray(new X509Certificate[0]), "UNKNOWN");
                }
            }
        } catch (GeneralSecurityException | IOException refused) {
            throw CommandFailure.refused(
                    CERTIFICATE + " " + files.certificate() + " is not valid for " + TRUST + " " + files.trust()
                            + ", so the other nodes would refuse it: " + Words.oneLine(Causes.innermost(refused))
                            + "; use a valid certificate that an authority in that file signed, and the same file on all nodes");
        }
    }
}
