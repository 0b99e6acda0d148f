package dev.loopkeeper.cli;

import dev.loopkeeper.gateway.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate as PEM files, made by this Java's own keytool. */
final class TestCertificate {
    private static final String PASSWORD = "changeit";

    private TestCertificate() {}

    static TlsFiles in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("key.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=keeper.test",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.txt").toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException(Files.readString(folder.resolve("keytool.txt")));
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        return new TlsFiles(
                pem(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("key").getEncoded()),
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("key", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
