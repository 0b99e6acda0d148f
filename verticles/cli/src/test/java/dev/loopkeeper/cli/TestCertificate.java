package dev.loopkeeper.cli;

import dev.loopkeeper.gateway.access.TlsFiles;
import dev.loopkeeper.work.SelfSigned;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate as PEM files. */
final class TestCertificate {
    private TestCertificate() {}

    static TlsFiles in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = SelfSigned.in(folder, "keeper.test");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, SelfSigned.PASSWORD.toCharArray());
        }
        return new TlsFiles(
                pem(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate(SelfSigned.ALIAS).getEncoded()),
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey(SelfSigned.ALIAS, SelfSigned.PASSWORD.toCharArray())
                                .getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
