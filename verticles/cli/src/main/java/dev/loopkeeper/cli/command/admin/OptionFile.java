package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The file that an option names. A content that cannot be used ends the command.
 *
 * @param option e.g. {@code --store-ca}
 */
record OptionFile(String option, Path file) {
    String text(Charset charset) {
        try {
            return Files.readString(file, charset);
        } catch (IOException unreadable) {
            throw refused(
                    " cannot be read (" + Words.oneLine(unreadable.toString()) + "); check the path and its rights");
        }
    }

    /** Returns the certificates of a PEM file, one at least. */
    List<X509Certificate> certificates() {
        byte[] content = text(StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
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
            // Refused below, like an empty file.
        }
        throw refused(" contains no certificate; name a PEM file with -----BEGIN CERTIFICATE-----");
    }

    /** Returns a refusal whose message begins with the option and the file. */
    CommandFailure refused(String why) {
        return CommandFailure.refused(option + " " + file + why);
    }
}
