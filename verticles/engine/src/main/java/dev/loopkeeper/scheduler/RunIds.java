package dev.loopkeeper.scheduler;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * Generates ids of runs, e.g. {@code fix-flaky-tests-20261120-151233-x7k2}, and the nonces that mark their processes.
 */
final class RunIds {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int SUFFIX = 4;
    private static final int NONCE_BYTES = 12;

    private final SecureRandom random = new SecureRandom();

    String next(String name, Instant at) {
        StringBuilder id =
                new StringBuilder(name).append('-').append(STAMP.format(at)).append('-');
        for (int letter = 0; letter < SUFFIX; letter++) {
            id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return id.toString();
    }

    String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
