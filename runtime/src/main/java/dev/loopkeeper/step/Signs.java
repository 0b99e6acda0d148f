package dev.loopkeeper.step;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What gives a kind of error away.
 *
 * @param statuses HTTP statuses
 * @param codes structured codes in the spelling of {@link #spelling}
 * @param text found anywhere in the message; every repetition in it is bounded or possessive
 */
record Signs(Set<Integer> statuses, Set<String> codes, Pattern text) {
    private static final Pattern NOTHING = Pattern.compile("(?!)");

    /** No signs yet; to stay so for what the runtime raises itself and for what fits nothing. */
    static Signs none() {
        return new Signs(Set.of(), Set.of(), NOTHING);
    }

    static Signs statuses(Integer... statuses) {
        return new Signs(Set.of(statuses), Set.of(), NOTHING);
    }

    Signs codes(String... names) {
        return new Signs(statuses, Stream.of(names).map(Signs::spelling).collect(Collectors.toUnmodifiableSet()), text);
    }

    /** Alternatives, matched without regard to case, {@code ^} and {@code $} at line ends. */
    Signs text(String... alternatives) {
        int flags = Pattern.CASE_INSENSITIVE | Pattern.MULTILINE;
        return new Signs(statuses, codes, Pattern.compile(String.join("|", alternatives), flags));
    }

    /** One spelling for {@code RESOURCE_EXHAUSTED}, {@code resource-exhausted} and {@code ResourceExhausted}. */
    static String spelling(String code) {
        return code.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
}
