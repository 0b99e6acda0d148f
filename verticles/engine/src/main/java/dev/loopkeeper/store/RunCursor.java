package dev.loopkeeper.store;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The last run of a page: the next page begins below it. Opaque outside: base64url of {@code createdAt runId}.
 *
 * @param createdAt in the store's sortable form
 */
public record RunCursor(String createdAt, String runId) {
    /** As it is given out. */
    public String text() {
        byte[] bytes = (createdAt + " " + runId).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Throws {@link IllegalArgumentException} for what no page has given out. */
    public static RunCursor parse(String text) {
        String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException("not a cursor of this store: " + text);
        }
        return new RunCursor(parts[0], parts[1]);
    }
}
