package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.step.Wording;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A value of the document with its position. A reading method that finds a wrong type or range notes a problem and
 * returns empty. Reading continues, so that all problems are found at once.
 */
record DocumentNode(JsonNode value, Place place, Problems problems) {
    /** MAX_ARG_STRLEN of Linux without its NUL, and without the words that precede a shell text. */
    static final int LONGEST_ARGUMENT = 32 * 4096 - 16;

    /** The shortest duration above zero. */
    static final Duration POSITIVE = Duration.ofMillis(1);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    void wrong(String message) {
        problems.add(place, message);
    }

    void wrong(String message, Optional<String> suggestion) {
        problems.add(place, message, suggestion);
    }

    /** The key of this value is wrong. */
    void wrongKey(String message) {
        problems.addAtKey(place, message, Optional.empty());
    }

    /** A text with at least one visible character. */
    Optional<String> text() {
        if (!value.isTextual()) {
            return expected("text");
        }
        if (value.textValue().isBlank()) {
            wrong("expected text, found none");
            return Optional.empty();
        }
        return storable(value.textValue());
    }

    /** A text for which this holds; otherwise the problem has this message. */
    Optional<String> text(Predicate<String> right, UnaryOperator<String> message) {
        Optional<String> text = text();
        text.filter(right.negate()).map(message).ifPresent(this::wrong);
        return text.filter(right);
    }

    /** A text, number or boolean as written; may be empty. */
    Optional<String> scalar() {
        if (!value.isValueNode() || value.isNull()) {
            return expected("text");
        }
        return storable(value.asText());
    }

    /**
     * Refuses a text that Linux does not accept at a program start.
     *
     * @param text an argument, or a variable with its name
     */
    void fitsLaunch(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_ARGUMENT) {
            wrong("has " + bytes + " bytes; an argument or environment variable can have at most " + LONGEST_ARGUMENT
                    + "; put the text into a file");
        }
    }

    /** The name of a run, an agent or a phase. */
    Optional<String> name() {
        return text(
                DocumentNode::isName,
                text ->
                        "expected a name of letters, digits, _ and -, starting with a letter or digit, at most 64, found "
                                + Wording.quoted(text));
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Refuses a key that is no name; {@code whose} is e.g. {@code an agent's}. */
    void requireName(String whose, String key) {
        if (!isName(key)) {
            wrongKey(whose + " name has letters, digits, _ and - only, starts with a letter or digit and has at most 64"
                    + " characters");
        }
    }

    Optional<Integer> whole(int least) {
        return whole(least, Integer.MAX_VALUE).map(Long::intValue);
    }

    Optional<Long> whole(long least, long most) {
        if (!value.isIntegralNumber()) {
            return expected("a whole number");
        }
        boolean inRange = value.longValue() >= least && value.longValue() <= most;
        if (!value.canConvertToLong() || !inRange) {
            wrong("expected a whole number from " + least + " to " + most);
            return Optional.empty();
        }
        return Optional.of(value.longValue());
    }

    Optional<Double> number(Range range) {
        if (!value.isNumber()) {
            return expected("a number");
        }
        double number = value.doubleValue();
        if (!range.contains(number)) {
            wrong("expected a number " + range.text());
            return Optional.empty();
        }
        return Optional.of(number);
    }

    Optional<Boolean> flag() {
        return value.isBoolean() ? Optional.of(value.booleanValue()) : expected("true or false");
    }

    /** A duration of {@code least} or more. */
    Optional<Duration> duration(Duration least) {
        if (!value.isTextual()) {
            return expected("a duration such as " + DurationText.EXAMPLES);
        }
        Optional<Duration> duration = DurationText.parse(value.textValue());
        if (duration.isEmpty()) {
            wrong("expected a duration such as " + DurationText.EXAMPLES + ", found "
                    + Wording.quoted(value.textValue()));
        } else if (duration.get().compareTo(least) < 0) {
            wrong("expected a duration above zero; leave the key out for none");
            return Optional.empty();
        }
        return duration;
    }

    /** One of these values. */
    <E> Optional<E> choice(Map<String, E> known) {
        Optional<String> word = text();
        if (word.isPresent() && !known.containsKey(word.get())) {
            wrong(
                    "expected one of " + String.join(", ", known.keySet()) + ", found " + Wording.quoted(word.get()),
                    NearestName.of(word.get(), known.keySet()));
        }
        return word.map(known::get);
    }

    /** The elements of a list, including null. */
    List<DocumentNode> elements() {
        if (!value.isArray()) {
            expected("a list");
            return List.of();
        }
        List<DocumentNode> elements = new ArrayList<>(value.size());
        for (JsonNode element : value) {
            elements.add(new DocumentNode(element, place.index(elements.size()), problems));
        }
        return elements;
    }

    /** The elements of a list of at least one, e.g. {@code step}. */
    List<DocumentNode> elements(String kind) {
        if (value.isArray() && value.isEmpty()) {
            wrong("expected at least one " + kind);
        }
        return elements();
    }

    /** The non-null values of a map, in the order of the document. */
    Map<String, DocumentNode> entries() {
        if (!value.isObject()) {
            expected("a map");
            return Map.of();
        }
        Map<String, DocumentNode> entries = new LinkedHashMap<>();
        int position = 0;
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            Place child = place.key(entry.getKey(), position++);
            if (!entry.getValue().isNull()) {
                entries.put(entry.getKey(), new DocumentNode(entry.getValue(), child, problems));
            }
        }
        return entries;
    }

    @CanIgnoreReturnValue
    <T> Optional<T> expected(String what) {
        wrong("expected " + what + ", found " + Wording.kindOf(value));
        return Optional.empty();
    }

    private Optional<String> storable(String text) {
        if (text.indexOf('\0') >= 0) {
            wrong("expected text without NUL characters");
            return Optional.empty();
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            wrong("expected Unicode text, found half of a surrogate pair");
            return Optional.empty();
        }
        return Optional.of(text);
    }

    /** From {@code least} (excluded when {@code open}) to {@code most}. */
    record Range(double least, boolean open, double most) {
        static final Range SHARE = from(0, 1);

        static Range from(double least, double most) {
            return new Range(least, false, most);
        }

        static Range above(double bound, double most) {
            return new Range(bound, true, most);
        }

        boolean contains(double number) {
            return Double.isFinite(number) && (open ? number > least : number >= least) && number <= most;
        }

        String text() {
            String from = (open ? "above " : "from ") + plain(least);
            return most == Double.MAX_VALUE ? (open ? from : plain(least) + " or more") : from + " to " + plain(most);
        }

        private static String plain(double number) {
            return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
        }
    }
}
