package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A key with a self-signed certificate, in a PKCS12 file made by this Java's own keytool. */
public final class SelfSigned {
    /** Of the file and of the key, whose name is {@link #ALIAS}. */
    public static final String PASSWORD = "changeit";

    public static final String ALIAS = "key";

    private SelfSigned() {}

    /** Makes it in this folder. */
    public static Path in(Path folder, String host) throws IOException, InterruptedException {
        Path store = folder.resolve("key.p12");
        Path log = folder.resolve("keytool.txt");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:+UseSerialGC",
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + host,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException(Files.readString(log));
        }
        return store;
    }
}
