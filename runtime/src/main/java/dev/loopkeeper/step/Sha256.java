package dev.loopkeeper.step;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes SHA-256 hashes. */
public final class Sha256 {
    private static final String HMAC = "HmacSHA256";

    private Sha256() {}

    /** A digest for content that arrives in pieces. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** The 32-byte hash of a text's UTF-8. */
    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The 32-byte HMAC of this content. */
    public static byte[] hmac(String key, byte[] content) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), HMAC));
            return mac.doFinal(content);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + HMAC, impossible);
        }
    }

    /** 64 lower-case hexadecimal digits. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /** The hexadecimal hash of a text's UTF-8. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
