package dev.loopkeeper.gateway.http;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.read.DurationText;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Validates query parameters. */
public final class Query {
    /** Longest wait of a request. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final Set<HttpMethod> WITHOUT_BODY = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private static final int LONGEST_NAME = 64;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private final RoutingContext context;

    public Query(RoutingContext context) {
        this.context = context;
    }

    /** Refuses unknown parameters: {@code stauts=paused} would list all runs. */
    public static void requireKnown(RoutingContext context, List<String> known) {
        context.queryParams().names().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    boolean bare = WITHOUT_BODY.contains(context.request().method());
                    String body = bare ? "" : "; body members are not query parameters";
                    String hint = NearestName.of(name, known)
                            .map(near -> "did you mean " + near + "?")
                            .orElse(
                                    known.isEmpty()
                                            ? "there are none for this path"
                                            : "known: " + String.join(", ", known));
                    throw Problem.invalidAt(shown(name), "is not a known query parameter; " + hint + body);
                });
        context.next();
    }

    private static String shown(String name) {
        return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "..." : name;
    }

    public Optional<String> text(String name) {
        List<String> values = context.queryParam(name);
        if (values.size() > 1) {
            throw Problem.invalidAt(name, "is given more than once");
        }
        return values.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    /** Returns the text, which must satisfy this rule. */
    public Optional<String> matching(String name, Predicate<String> rule, String why) {
        Optional<String> text = text(name);
        if (text.filter(rule.negate()).isPresent()) {
            throw Problem.invalidAt(name, why);
        }
        return text;
    }

    public OptionalLong whole(String name, long least, long most) {
        Optional<String> text = text(name);
        OptionalLong value = text.map(Query::number).orElseGet(OptionalLong::empty);
        if (text.isPresent() && (value.isEmpty() || value.getAsLong() < least || value.getAsLong() > most)) {
            String upTo = most == Long.MAX_VALUE ? ", " + least + " or more" : " from " + least + " to " + most;
            throw Problem.invalidAt(name, "must be a whole number" + upTo);
        }
        return value;
    }

    /** Parses a number, 0 or more, written in the digits 0 to 9; Java alone would accept those of other scripts. */
    public static OptionalLong number(String text) {
        try {
            long value = Long.parseLong(text);
            return DIGITS.matcher(text).matches() ? OptionalLong.of(value) : OptionalLong.empty();
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }

    public boolean flag(String name) {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false") && !text.equals("1") && !text.equals("0")) {
            throw Problem.invalidAt(name, "must be true or false");
        }
        return text.equals("true") || text.equals("1");
    }

    /** Returns comma-separated values in order; empty if absent. */
    public Set<String> list(String name) {
        Set<String> values = new LinkedHashSet<>();
        text(name)
                .ifPresent(text -> Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(value -> !value.isEmpty())
                        .forEach(values::add));
        return values;
    }

    /** Does the same and requires each value to be one of these. */
    public Set<String> choices(String name, Collection<String> known) {
        Set<String> values = list(name);
        values.stream().filter(value -> !known.contains(value)).findFirst().ifPresent(value -> {
            String hint = NearestName.of(value, known)
                    .map(near -> "did you mean " + near + "?")
                    .orElse("known are " + String.join(", ", known));
            throw Problem.invalidAt(name, "has an unknown value '" + value + "'; " + hint);
        });
        return values;
    }

    /** Returns a wait such as {@code 30s}, from 1 ms to 5 min; empty if absent. */
    public Optional<Duration> waiting() {
        return context.queryParam("wait").isEmpty()
                ? Optional.empty()
                : Optional.of(duration(text("wait").orElse("")));
    }

    private static Duration duration(String text) {
        return DurationText.parse(text)
                .filter(wait -> !wait.isZero() && wait.compareTo(LONGEST_WAIT) <= 0)
                .orElseThrow(() -> Problem.invalidAt("wait", "must be a duration from 1ms to 5m, such as 30s"));
    }
}
