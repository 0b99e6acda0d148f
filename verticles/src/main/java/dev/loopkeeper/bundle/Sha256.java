package dev.loopkeeper.bundle;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The checksum of bundles. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
