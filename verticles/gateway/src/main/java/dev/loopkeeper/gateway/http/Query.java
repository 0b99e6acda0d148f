package dev.loopkeeper.gateway.http;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.read.DurationText;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The part of an address after the question mark, checked value by value. */
public final class Query {
    /** The longest a request may wait. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final RoutingContext context;

    public Query(RoutingContext context) {
        this.context = context;
    }

    public Optional<String> text(String name) {
        List<String> values = context.queryParam(name);
        if (values.size() > 1) {
            throw Problem.invalidAt(name, "is given more than once");
        }
        return values.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    public OptionalLong whole(String name, long least, long most) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long value = Long.parseLong(text.get());
            if (value >= least && value <= most) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException notANumber) {
            throw wrongWhole(name, least, most);
        }
        throw wrongWhole(name, least, most);
    }

    private static Problem wrongWhole(String name, long least, long most) {
        String upTo = most == Long.MAX_VALUE ? ", " + least + " or more" : " from " + least + " to " + most;
        return Problem.invalidAt(name, "must be a whole number" + upTo);
    }

    public boolean flag(String name) {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false") && !text.equals("1") && !text.equals("0")) {
            throw Problem.invalidAt(name, "must be true or false");
        }
        return text.equals("true") || text.equals("1");
    }

    /** Values between commas, in their order; empty when absent. */
    public Set<String> list(String name) {
        Set<String> values = new LinkedHashSet<>();
        text(name)
                .ifPresent(text -> Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(value -> !value.isEmpty())
                        .forEach(values::add));
        return values;
    }

    /** As {@link #list}, each one of these. */
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

    /** A wait such as {@code 30s}, 1 ms to 10 min; empty when absent. */
    public Optional<Duration> waiting() {
        return text("wait").map(Query::duration);
    }

    private static Duration duration(String text) {
        return DurationText.parse(text)
                .filter(wait -> !wait.isZero() && wait.compareTo(LONGEST_WAIT) <= 0)
                .orElseThrow(() -> Problem.invalidAt("wait", "must be a duration from 1ms to 10m, such as 30s"));
    }
}
