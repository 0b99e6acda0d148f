package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.BusTls;
import dev.loopkeeper.gateway.MatchingKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks into the files of {@code --cluster-tls-*} before any of them is used: no peer would say what is wrong. */
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

    /** Refuses what peers would refuse, and what cannot be read. */
    void require() {
        List<X509Certificate> trusted = certificates(TRUST, files.trust());
        List<X509Certificate> own = certificates(CERTIFICATE, files.certificate());
        own.forEach(certificate -> requireValid(CERTIFICATE, files.certificate(), certificate));
        trusted.forEach(certificate -> requireValid(TRUST, files.trust(), certificate));
        requireKey(own.get(0));
        requireTrusted(own, trusted);
    }

    /** Until when all of them are valid that are looked at. */
    Instant lasting() {
        return Stream.concat(
                        certificates(CERTIFICATE, files.certificate()).stream(),
                        certificates(TRUST, files.trust()).stream())
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
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
                + " holds no certificate; name a file of certificates in PEM, which begin with"
                + " -----BEGIN CERTIFICATE-----");
    }

    private static void requireValid(String option, Path file, X509Certificate certificate) {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException expired) {
            throw CommandFailure.refused(option + " " + file + " has expired ("
                    + certificate.getNotAfter().toInstant() + "); sign another one");
        } catch (CertificateNotYetValidException early) {
            throw CommandFailure.refused(option + " " + file + " is not valid yet, but from "
                    + certificate.getNotBefore().toInstant() + " on; check the time of this machine");
        }
    }

    private void requireKey(X509Certificate certificate) {
        String kind = certificate.getPublicKey().getAlgorithm();
        Matcher pem = PKCS8.matcher(content(KEY, files.key()));
        if (!pem.find()) {
            throw CommandFailure.refused(KEY + " " + files.key() + " holds no private key in PKCS#8 without a password,"
                    + " which begins with -----BEGIN PRIVATE KEY-----; make one of it with: openssl pkcs8 -topk8 -nodes"
                    + " -in OLD -out NEW");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
            PrivateKey key = KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (MatchingKey.matches(key, certificate.getPublicKey())) {
                return;
            }
        } catch (GeneralSecurityException | IllegalArgumentException another) {
            throw notItsKey();
        }
        throw notItsKey();
    }

    private CommandFailure notItsKey() {
        return CommandFailure.refused(KEY + " " + files.key() + " is not the key of " + CERTIFICATE + " "
                + files.certificate() + "; name the two that were made together");
    }

    private void requireTrusted(List<X509Certificate> own, List<X509Certificate> trusted) {
        try {
            List<X509Certificate> chain = own.stream()
                    .filter(certificate -> !trusted.contains(certificate))
                    .toList();
            if (chain.isEmpty()) {
                return;
            }
            PKIXParameters rules = new PKIXParameters(trusted.stream()
                    .map(certificate -> new TrustAnchor(certificate, null))
                    .collect(Collectors.toSet()));
            rules.setRevocationEnabled(false);
            Object unused = CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(chain), rules);
        } catch (GeneralSecurityException stranger) {
            throw CommandFailure.refused(
                    CERTIFICATE + " " + files.certificate() + " is signed by nobody in " + TRUST + " "
                            + files.trust() + " (" + Words.oneLine(String.valueOf(stranger.getMessage()))
                            + "), so the other nodes would refuse it; sign it by an authority in there, the same for all nodes");
        }
    }
}
