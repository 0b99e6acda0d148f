package dev.loopkeeper.step;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the time of a retry in an error's text. It tries, in this order: a retry-after, a delay, an epoch, a full date,
 * a time of day, a day. It ignores times beyond {@link #FARTHEST}.
 */
public final class RetryTimes {
    /** The longest delay that a text may request. */
    public static final Duration FARTHEST = Duration.ofDays(62);

    private static final String AMOUNT = "\\d{1,9}+(?:\\.\\d{1,9}+)?+";
    private static final String UNIT =
            "(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?)\\b";
    private static final String SHORT_UNIT = "(?:ms|s|m|h|d)";
    private static final String UNITS = UNIT + "(?:,? (?:and )?" + AMOUNT + "\\s?" + UNIT + "){0,3}";
    private static final String SPAN = "(?:" + AMOUNT + "\\s?" + UNITS + "|(?:" + AMOUNT + SHORT_UNIT + "){1,4}\\b)";
    private static final String LEAD =
            "(?:again|retry|retrying|retried|reset|resets|available|restored|opens|restarts|refreshes|renews|returns|wait|(?:retry|repeat) (?:the|your|this) request)"
                    + "(?: (?:in|after|for|at least)){1,2}:?(?: (?:about|approximately|another))?";
    private static final Pattern RETRY_AFTER = caseless(
            "\\bretry[ _-]?after([ _-]?ms)?(?: in)?[\"']?\\s?[:=]?\\s?[\"']?(" + AMOUNT + ")\\s?(" + UNITS + ")?");
    /** A field with its unit in its name: {@code retry_after_seconds: 20}, {@code "resets_in_seconds":600}. */
    private static final Pattern NAMED_UNIT =
            caseless("\\b(?:retry|resets?)[ _-]?(?:in|after)[ _-]?(ms|millis|s|secs?|seconds?)"
                    + "[\"']?\\s?[:=]\\s?[\"']?(" + AMOUNT + ")");
    /** A header of limits, whose value is a delay or a time: {@code x-ratelimit-reset-tokens: 6m0s}. */
    private static final Pattern RESET_HEADER =
            caseless("\\bratelimit[a-z-]{0,30}-reset(?:-[a-z]{1,20})?[\"']?\\s?[:=]\\s?[\"']?(" + SPAN + "|" + AMOUNT
                    + ")(?![\\w:-])");

    private static final Pattern RETRY_DELAY = caseless("\\b(?:retry_?|quotaReset)delay(_ms)?[\"']?\\s?[:=]\\s?[\"']?("
            + AMOUNT + ")(" + UNIT + "|" + SHORT_UNIT + "(?:" + AMOUNT + SHORT_UNIT + "){0,3}\\b)?");
    private static final Pattern DELAY = caseless("\\b" + LEAD + "\\s(" + SPAN + ")");
    private static final Pattern ONE = caseless("\\b" + LEAD + "\\s(?:an?|one) (second|minute|hour|day|week)\\b");
    private static final Pattern WAIT = caseless("\\bwait(?:ing)? (" + SPAN + ")");
    /** Spelled-out units only, and not a duration that something took. */
    private static final Pattern BARE_DELAY =
            caseless("(?<!\\b(?:failed|completed|finished|done|ran|succeeded|passed|built|exited|ended) )\\bin ("
                    + AMOUNT + " (?:seconds?|minutes?|hours?))\\b(?! of\\b)");

    private static final Pattern NUMBER_CONTINUES = caseless("[-:/a-z]|\\s[ap]\\.?m\\b");
    private static final Pattern PART = caseless("(" + AMOUNT + ")\\s?(ms|milli|s|m|h|d|w)");
    private static final Pattern EPOCH = caseless(
            "(?:\\||\\breset(?:s|[s_ -]{0,2}(?:at|time))?[\"']?\\s?[:=]?\\s?[\"']?)(\\d{10}(?:\\d{3})?)(?!\\d)");
    private static final Pattern EPOCH_NUMBER = Pattern.compile("\\d{10,}+");
    private static final String SOON =
            "(?:\\b(?:again|retry|(?:next_?)?(?:quota)?resets?(?:_?(?:at|on|timestamp|time|date))?|retry[_-]after|until|available|access|restored|renews|renewal|returns|back)\\b[\"':=, a-z]{1,20}?)";
    private static final Pattern ISO =
            caseless(SOON + "(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z| ?[+-]\\d\\d:?\\d\\d))");

    private static final DateTimeFormatter OFFSET_DATE_TIME = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXX][XX]")
            .toFormatter(Locale.ROOT);

    private static final Pattern LOCAL_ISO = caseless(
            SOON
                    + "(\\d{4}[-/]\\d\\d[-/]\\d\\d(?:[T ]| at )\\d\\d:\\d\\d)(?::(\\d\\d))?(?! ?[+-]\\d)(?: ?\\(?((?:UTC|GMT)(?:[+-]\\d{1,2}(?::?\\d\\d)?+)?+|Z))?");
    private static final Pattern HTTP_DATE =
            caseless(SOON + "((?:mon|tue|wed|thu|fri|sat|sun), \\d\\d? [a-z]{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT)");

    private RetryTimes() {}

    /**
     * The time at which the text allows a retry; empty when it states none.
     *
     * @param now reference for delays and times of day
     * @param zone of times of day that name none
     */
    public static Optional<Instant> find(String text, Instant now, ZoneId zone) {
        String read = ErrorText.bounded(text);
        return delay(read)
                .map(now::plus)
                .or(() -> epoch(read))
                .or(() -> httpDate(read))
                .or(() -> iso(read))
                .or(() -> localIso(read, zone))
                .or(() -> ClockTimes.find(read, now, zone))
                .or(() -> ResetDays.find(read, now, zone))
                .filter(instant -> !instant.isAfter(now.plus(FARTHEST)));
    }

    private static Optional<Duration> delay(String text) {
        return namedUnit(text)
                .or(() -> field(RETRY_AFTER, text))
                .or(() -> field(RETRY_DELAY, text))
                .or(() -> resetHeader(text))
                .or(() -> first(ONE, text).map(unit -> span("1 " + unit)))
                .or(() -> Stream.of(DELAY, WAIT, BARE_DELAY)
                        .map(pattern -> pattern.matcher(text))
                        .filter(Matcher::find)
                        .map(matcher -> span(matcher.group(1)))
                        .findFirst());
    }

    private static Optional<Duration> namedUnit(String text) {
        Matcher matcher = NAMED_UNIT.matcher(text);
        return matcher.find() ? Optional.of(span(matcher.group(2) + matcher.group(1))) : Optional.empty();
    }

    /** A number as long as an epoch is a time; a shorter one is in seconds. */
    private static Optional<Duration> resetHeader(String text) {
        return first(RESET_HEADER, text)
                .filter(value -> !EPOCH_NUMBER.matcher(value).matches())
                .map(value -> span(Character.isDigit(value.charAt(value.length() - 1)) ? value + "s" : value));
    }

    private static Optional<Duration> field(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        // Skips a date or a time of day, which also begins with a number.
        while (matcher.find()) {
            if (matcher.group(3) != null || !continues(text, matcher.end(2))) {
                String unit = matcher.group(1) != null ? "ms" : matcher.group(3) == null ? "s" : matcher.group(3);
                return Optional.of(span(matcher.group(2) + unit));
            }
        }
        return Optional.empty();
    }

    private static boolean continues(String text, int end) {
        return NUMBER_CONTINUES.matcher(text).region(end, text.length()).lookingAt();
    }

    private static Duration span(String text) {
        double millis = 0;
        Matcher matcher = PART.matcher(text);
        while (matcher.find()) {
            millis += Double.parseDouble(matcher.group(1))
                    * millisOf(matcher.group(2).toLowerCase(Locale.ROOT));
        }
        return Duration.ofMillis(
                Math.min(Math.round(millis), FARTHEST.multipliedBy(2).toMillis()));
    }

    private static double millisOf(String unit) {
        return switch (unit) {
            case "ms", "milli" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "w" -> 7 * 86_400_000;
            default -> 86_400_000;
        };
    }

    private static Optional<Instant> epoch(String text) {
        Matcher matcher = EPOCH.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        return Optional.of(
                matcher.group(1).length() == 10 ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number));
    }

    private static Optional<Instant> httpDate(String text) {
        return first(HTTP_DATE, text).flatMap(date -> parsed(DateTimeFormatter.RFC_1123_DATE_TIME, date));
    }

    private static Optional<Instant> iso(String text) {
        return first(ISO, text)
                .map(date -> date.replaceFirst(" (?=[+-])", "").replace(' ', 'T'))
                .flatMap(date -> parsed(OFFSET_DATE_TIME, date));
    }

    /** A date and time without a zone are in the machine's zone. */
    private static Optional<Instant> localIso(String text, ZoneId zone) {
        Matcher matcher = LOCAL_ISO.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        String seconds = matcher.group(2) == null ? "00" : matcher.group(2);
        String date = matcher.group(1).replace('/', '-').replace(" at ", "T").replace(' ', 'T') + ":" + seconds;
        ZoneId named = ClockTimes.zone(matcher.group(3)).orElse(zone);
        return parsed(DateTimeFormatter.ISO_LOCAL_DATE_TIME.withZone(named), date);
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<Instant> parsed(DateTimeFormatter format, String date) {
        return ClockTimes.valid(() -> format.parse(date, Instant::from));
    }

    private static Pattern caseless(String regex) {
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
    }
}
