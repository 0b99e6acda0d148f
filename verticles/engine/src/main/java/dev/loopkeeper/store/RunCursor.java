package dev.loopkeeper.store;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Position of the last run of a page, after which the next page begins. Clients get it as base64url of
 * {@code createdAt runId}.
 *
 * @param createdAt in the store's sortable form
 */
public record RunCursor(String createdAt, String runId) {
    /** Returns the text for clients. */
    public String text() {
        byte[] bytes = (createdAt + " " + runId).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Parses a cursor; throws {@link IllegalArgumentException} for other texts. */
    public static RunCursor parse(String text) {
        String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException("not a cursor of this store: " + text);
        }
        return new RunCursor(parts[0], parts[1]);
    }
}
