package dev.loopkeeper.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A text as words in lower case. A word is letters and digits, joined by {@code _ ' . / @} or the like; a dash and every
 * other mark parts words, so that {@code rate-limit} is two, {@code rate_limit} one and {@code src/limits.ts} one. An
 * address of the web is one word. {@code <html} becomes the word {@code <html>}, and before the words of a line comes what
 * {@link LineShape} says of it.
 */
public final class TextWords {
    /** Names of an error that stand before what it says. */
    private static final Set<String> LABELS = Set.of(
            "error",
            "api",
            "fatal",
            "exception",
            "typeerror",
            "message",
            "msg",
            "cause",
            "reason",
            "detail",
            "details",
            "uncaught",
            "failed",
            "err",
            "llm",
            "provider");

    private static final Set<String> MARKS =
            Set.of("<n>", "<percent>", "<ref>", "<html>", LineShape.CHECK, LineShape.ITEM, LineShape.CODE);

    private static final int MOST_LOOKS = 6;
    private static final int LINE_START = 1;
    private static final int START = 2;
    private static final int END = 4;

    private final List<String> words = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private byte[] marks = new byte[64];
    private boolean lineStart = true;
    /** How often the line was looked at as a whole. */
    private int looks;

    private boolean start = true;

    private TextWords() {}

    /** The words of a text without escape sequences. */
    public static TextWords of(String plain) {
        TextWords words = new TextWords();
        words.read(plain);
        words.end();
        return words;
    }

    /** Whether a text could have this word; {@code *} for its missing end or beginning, {@code <n>} for a number. */
    static boolean isWord(String pattern) {
        String bare = pattern.replaceAll("^\\*|\\*$", "");
        boolean mark = MARKS.contains(pattern);
        return mark
                || (!bare.isEmpty()
                        && IntStream.range(0, bare.length())
                                .allMatch(i -> i == 0 ? inside(bare.charAt(0)) : inWord(bare, i)));
    }

    private static boolean inside(char found) {
        return Character.isLetterOrDigit(found) || "_#'./@+".indexOf(found) >= 0;
    }

    /** How many there are. */
    public int count() {
        return words.size();
    }

    String word(int index) {
        return words.get(index);
    }

    boolean has(String word) {
        return known.contains(word);
    }

    /** Whether it is the first of a line or of a quoted text, names of an error before it not counted. */
    boolean starts(int index) {
        return (marks[index] & START) != 0;
    }

    /** Whether it is the very first of a line. */
    boolean startsLine(int index) {
        return (marks[index] & LINE_START) != 0;
    }

    /** Whether it is the last of a line, of a quoted text, of brackets, or before a raised dot. */
    boolean ends(int index) {
        return (marks[index] & END) != 0;
    }

    private void read(String text) {
        int at = 0;
        while (at < text.length()) {
            char found = text.charAt(at);
            Optional<String> shape = lineStart && found > ' ' ? shape(text, at) : Optional.empty();
            if (shape.isPresent()) {
                add(shape.get());
            } else if (Character.isLetterOrDigit(found) || found == '#' || found == '_') {
                at = word(text, at);
            } else if (found == '<' && page(text, at + 1)) {
                add("<html>");
                at++;
            } else {
                mark(text, at, found);
                at++;
            }
        }
    }

    /** What the line is by its shape, seen from here: behind a few marks that a program puts before everything. */
    private Optional<String> shape(String text, int at) {
        boolean first = looks == 0;
        looks++;
        return looks <= MOST_LOOKS ? LineShape.of(text, at, first) : Optional.empty();
    }

    private static boolean page(String text, int at) {
        return text.regionMatches(true, at, "html", 0, 4) || text.regionMatches(true, at, "!doctype html", 0, 13);
    }

    private int word(String text, int from) {
        boolean address = text.startsWith("http://", from) || text.startsWith("https://", from);
        int end = from + 1;
        while (end < text.length() && (address ? inAddress(text.charAt(end)) : inWord(text, end))) {
            end++;
        }
        int last = end;
        while (last > from + 1 && ".'/@+".indexOf(text.charAt(last - 1)) >= 0) {
            last--;
        }
        add(text.substring(from, last).toLowerCase(Locale.ROOT));
        boolean quoted = last < end && text.charAt(end - 1) == '\'';
        if (quoted && closes(text, end)) {
            end();
            start = true;
        }
        return end;
    }

    private static boolean inAddress(char found) {
        return !Character.isWhitespace(found) && "\"'<>()[]{},".indexOf(found) < 0;
    }

    private static boolean inWord(String text, int at) {
        char found = text.charAt(at);
        boolean digits = found == ',' && Character.isDigit(text.charAt(at - 1)) && digitAt(text, at + 1);
        boolean percent = found == '%' && Character.isDigit(text.charAt(at - 1));
        return Character.isLetterOrDigit(found) || "_'./@+".indexOf(found) >= 0 || digits || percent;
    }

    private static boolean digitAt(String text, int at) {
        return at < text.length() && Character.isDigit(text.charAt(at));
    }

    /** What parts words may end a text or begin one. */
    private void mark(String text, int at, char found) {
        if (endsText(text, at, found)) {
            end();
        }
        if (startsText(text, at, found)) {
            start = true;
        }
        if (found == '\n') {
            lineStart = true;
            looks = 0;
        }
    }

    private static boolean endsText(String text, int at, char found) {
        return switch (found) {
            case '\n', '\u00B7', ')', ']', '|' -> true;
            case '"', '\'' -> closes(text, at + 1);
            default -> false;
        };
    }

    private boolean startsText(String text, int at, char found) {
        return switch (found) {
            case '\n', '\u00B7', ')', '"', '|' -> true;
            case '\'' -> closes(text, at + 1);
            case ':' -> namesAnError();
            default -> false;
        };
    }

    /** Whether a quotation mark before this place ends a value of JSON or the like. */
    private static boolean closes(String text, int next) {
        return next == text.length() || ",}])\n".indexOf(text.charAt(next)) >= 0;
    }

    private boolean namesAnError() {
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        return last.endsWith("error") || last.endsWith("exception");
    }

    private void end() {
        if (!words.isEmpty()) {
            marks[words.size() - 1] |= END;
        }
    }

    private void add(String word) {
        int index = words.size();
        if (index == marks.length) {
            marks = Arrays.copyOf(marks, index * 2);
        }
        marks[index] = (byte) ((lineStart ? LINE_START : 0) | (start ? START : 0));
        words.add(word);
        known.add(word);
        lineStart = false;
        start = start && LABELS.contains(word);
    }
}
