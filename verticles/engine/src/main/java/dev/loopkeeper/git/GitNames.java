package dev.loopkeeper.git;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Formats file names as git does for people with {@code core.quotePath=false}: unchanged, but in double quotes with
 * escapes where a name has control characters, double quotes, backslashes or bytes that are not UTF-8.
 * Two names never have the same spelling.
 */
public final class GitNames {
    private static final String ESCAPES = "abtnvfr";
    private static final int FIRST_ESCAPE = 7;
    private static final int LAST_CONTROL = 0x1f;
    private static final int DELETE = 0x7f;

    private GitNames() {}

    /** E.g. {@code a/b.txt} or {@code "a\nb"}. */
    public static String spelled(byte[] name) {
        boolean plain = true;
        for (byte each : name) {
            plain &= !isSpecial(each & 0xff);
        }
        String text = decoded(name);
        if (text != null && plain) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        if (text == null) {
            for (byte each : name) {
                append(quoted, each & 0xff, true);
            }
        } else {
            text.codePoints().forEach(each -> append(quoted, each, false));
        }
        return quoted.append('"').toString();
    }

    private static boolean isSpecial(int each) {
        return each <= LAST_CONTROL || each == DELETE || each == '"' || each == '\\';
    }

    private static void append(StringBuilder to, int each, boolean bytes) {
        if (each == '"' || each == '\\') {
            to.append('\\').append((char) each);
        } else if (each >= FIRST_ESCAPE && each < FIRST_ESCAPE + ESCAPES.length()) {
            to.append('\\').append(ESCAPES.charAt(each - FIRST_ESCAPE));
        } else if (isSpecial(each) || (bytes && each > DELETE)) {
            to.append('\\').append((char) ('0' + (each >> 6)));
            to.append((char) ('0' + ((each >> 3) & 7))).append((char) ('0' + (each & 7)));
        } else {
            to.appendCodePoint(each);
        }
    }

    private static String decoded(byte[] name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException other) {
            return null;
        }
    }
}
