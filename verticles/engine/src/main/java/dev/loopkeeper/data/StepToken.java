package dev.loopkeeper.data;

import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The token with which a step asks a person: a keyed hash of run and step, so that nothing is stored for a step and a
 * restarted runtime knows it. The key is in {@code <data>/step.key}. Blocking.
 */
public final class StepToken {
    /** Variable of a step. */
    public static final String VARIABLE = "LOOPKEEPER_STEP_TOKEN";

    private static final String KEY = "step.key";
    private static final int KEY_BYTES = 32;

    private StepToken() {}

    /** Returns the token of this step. */
    public static String of(Path data, String runId, String stepId) throws IOException {
        String key = HexFormat.of().formatHex(key(data.resolve(KEY)));
        return HexFormat.of().formatHex(Sha256.hmac(key, (runId + "/" + stepId).getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether this is the token of the step. */
    public static boolean matches(Path data, String runId, String stepId, String token) throws IOException {
        return MessageDigest.isEqual(
                of(data, runId, stepId).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the key; makes one where there is none. Only the owner of the data folder does so. */
    private static synchronized byte[] key(Path file) throws IOException {
        try {
            byte[] key = Files.readAllBytes(file);
            if (key.length == KEY_BYTES) {
                return key;
            }
        } catch (NoSuchFileException first) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        AtomicFile.replaceDurably(file, key);
        return key;
    }
}
