package dev.loopkeeper.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Signs certificates, with this Java's own keytool. */
final class TestAuthority {
    private static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path store;
    private int count;

    /** PEM files. */
    record Certificate(Path certificate, Path key) {}

    TestAuthority(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.store = folder.resolve("keys.p12");
        keytool("-alias", "ca", "-dname", "CN=authority", "-ext", "bc:c", "-startdate", "-10d");
    }

    /** For this host, e.g. {@code ip:127.0.0.1}, from so many days ago on, for so many days. */
    Certificate sign(String host, int daysAgo, int days)
            throws IOException, InterruptedException, GeneralSecurityException {
        String alias = "server" + ++count;
        keytool(
                "-alias",
                alias,
                "-signer",
                "ca",
                "-dname",
                "CN=database",
                "-ext",
                "san=" + host,
                "-startdate",
                (daysAgo < 0 ? "+" + -daysAgo : "-" + daysAgo) + "d",
                "-validity",
                Integer.toString(days));
        KeyStore keys = keys();
        return new Certificate(
                pem(alias + ".crt", "CERTIFICATE", keys.getCertificate(alias).getEncoded()),
                pem(
                        alias + ".key",
                        "PRIVATE KEY",
                        keys.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
    }

    /** Its own certificate. */
    Path certificate() throws IOException, GeneralSecurityException {
        return pem("ca.crt", "CERTIFICATE", keys().getCertificate("ca").getEncoded());
    }

    private KeyStore keys() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        return keys;
    }

    private void keytool(String... words) throws IOException, InterruptedException {
        Path log = folder.resolve("keytool.txt");
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:+UseSerialGC",
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
        all.addAll(List.of(words));
        Process keytool = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    private Path pem(String name, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
