package dev.loopkeeper.notification;

import dev.loopkeeper.step.BoundedText;
import java.nio.charset.StandardCharsets;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** How a service takes the text of an agent: as text, with no mention, link or format of its own, and how long. */
enum Escapes {
    /** Slack reads three characters; {@code <!channel>} is a mention. */
    SLACK(letter -> letter.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), String::length),
    /** Markdown of Discord and Teams. */
    MARKDOWN(letter -> "\\`*_~|<>[]()#@".contains(letter) ? "\\" + letter : letter, String::length),
    /** No markup; a limit is in bytes. */
    PLAIN(UnaryOperator.identity(), letter -> letter.getBytes(StandardCharsets.UTF_8).length);

    @SuppressWarnings("ImmutableEnumChecker") // A function without a state.
    private final UnaryOperator<String> letter;

    @SuppressWarnings("ImmutableEnumChecker") // A function without a state.
    private final ToIntFunction<String> size;

    Escapes(UnaryOperator<String> letter, ToIntFunction<String> size) {
        this.letter = letter;
        this.size = size;
    }

    /** Returns as much of the text as fits into this size once escaped; a cut ends in dots and splits no letter. */
    String of(String text, int most) {
        String dots = "…";
        String plain = BoundedText.readable(text);
        StringBuilder escaped = new StringBuilder();
        int used = 0;
        int cut = 0;
        for (int index = 0; index < plain.length(); ) {
            String one = Character.toString(plain.codePointAt(index));
            String safe = letter.apply(one);
            used += size.applyAsInt(safe);
            if (used > most) {
                return escaped.substring(0, cut) + dots;
            }
            escaped.append(safe);
            if (used + size.applyAsInt(dots) <= most) {
                cut = escaped.length();
            }
            index += one.length();
        }
        return escaped.toString();
    }
}
