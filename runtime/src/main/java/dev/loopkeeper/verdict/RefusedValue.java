package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.OneLine;
import java.util.regex.Pattern;

/** Shows an invalid value of a signal to people: short, and safe for a terminal. */
public final class RefusedValue {
    /** Characters of the text, including quotes and dots. */
    public static final int LONGEST = 80;

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

    private RefusedValue() {}

    /** The value as JSON with unprintable characters escaped, e.g. {@code "maybe\u001b[31m"}. */
    public static String of(JsonNode value) {
        String json = value.toString();
        String shown = UNPRINTABLE
                .matcher(json.substring(0, Math.min(json.length(), LONGEST + 1)))
                .replaceAll(found -> String.format("\\\\u%04x", found.group().codePointAt(0)));
        return OneLine.cut(shown, LONGEST);
    }
}
