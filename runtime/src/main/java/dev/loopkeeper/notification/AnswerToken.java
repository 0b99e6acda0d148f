package dev.loopkeeper.notification;

import dev.loopkeeper.step.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secret of a link that answers one pause or ask: its event, signed with the key of the store. Nothing of it is stored.
 *
 * @param sequence of the event {@code run.paused} or {@code ask.opened}
 */
public record AnswerToken(String runId, long sequence) {
    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_-]{1,128})\\.([0-9]{1,18})\\.([A-Za-z0-9_-]{43})");

    /** Returns the token, e.g. {@code fix-tests-20261120-151233-x7k2.41.q83f...}. */
    public String text(String key) {
        return runId + "." + sequence + "." + signature(key);
    }

    private String signature(String key) {
        byte[] code = Sha256.hmac(key, ("answer " + runId + "." + sequence).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(code);
    }

    /** Reads a token; empty if this key did not sign it. */
    public static Optional<AnswerToken> read(String text, String key) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        AnswerToken token = new AnswerToken(parts.group(1), Long.parseLong(parts.group(2)));
        byte[] given = parts.group(3).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, token.signature(key).getBytes(StandardCharsets.UTF_8))
                ? Optional.of(token)
                : Optional.empty();
    }
}
