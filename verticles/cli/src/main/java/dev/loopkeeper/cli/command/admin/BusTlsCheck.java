package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.BusTls;
import dev.loopkeeper.gateway.access.MatchingKey;
import dev.loopkeeper.work.Causes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
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
record BusTlsCheck(BusTls files) {
    private static final String CERTIFICATE = "--cluster-tls-certificate";
    private static final String KEY = "--cluster-tls-key";
    private static final String TRUST = "--cluster-tls-trust";
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** Refuses files that cannot be read, and certificates that other nodes would reject. */
    void require() {
        List<X509Certificate> trusted = new OptionFile(TRUST, files.trust()).certificates();
        List<X509Certificate> own = new OptionFile(CERTIFICATE, files.certificate()).certificates();
        requireKey(own.get(0));
        requireTrusted(own, trusted);
    }

    private void requireKey(X509Certificate certificate) {
        OptionFile file = new OptionFile(KEY, files.key());
        Matcher pem = PKCS8.matcher(file.text(StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw file.refused(" holds no private key in PKCS#8 without a password,"
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
            throw file.refused(
                    " is not the key of " + CERTIFICATE + " " + files.certificate() + "; name a matching pair");
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
