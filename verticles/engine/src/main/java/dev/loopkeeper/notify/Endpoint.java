package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.NotifySpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A webhook with the values of the environment.
 *
 * @param label for logs and records, without the parts that may be secret: scheme, host and port of a URL, or the name
 *     of the variable that holds it
 * @param hidden texts that no log or record may contain
 */
record Endpoint(String url, Map<String, String> headers, Optional<String> secret, String label, List<String> hidden) {
    /** Explains which environment variable is unusable; empty if {@link #of} returns a complete endpoint. */
    static Optional<String> problem(NotifySpec receiver, Map<String, String> environment) {
        Stream<Optional<String>> secret = receiver.secretEnv().stream()
                .filter(name -> environment.getOrDefault(name, "").isEmpty())
                .map(name -> Optional.of("environment variable " + name
                        + " is not set, so the notification cannot be signed and is not sent"));
        Stream<Optional<String>> url = receiver.webhook().flatMap(NotifySpec::variable).stream()
                .map(name -> problem(name, environment, "an http or https URL", NotifySpec::isUrl));
        Stream<Optional<String>> headers = receiver.headers().values().stream()
                .flatMap(text -> NotifySpec.variable(text).stream())
                .map(name -> problem(name, environment, "one line of ASCII characters", NotifySpec::isHeader));
        return Stream.of(secret, url, headers)
                .flatMap(all -> all)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> problem(
            String name, Map<String, String> environment, String expected, Predicate<String> right) {
        String value = value(name, environment);
        String state = value.isEmpty() ? "is not set" : "does not hold " + expected;
        return right.test(value)
                ? Optional.empty()
                : Optional.of("environment variable " + name + " " + state + ", so the notification is not sent");
    }

    /** A value from a file often ends in a line break. */
    private static String value(String name, Map<String, String> environment) {
        return environment.getOrDefault(name, "").strip();
    }

    private static String resolved(String text, Map<String, String> environment) {
        return NotifySpec.variable(text).map(name -> value(name, environment)).orElse(text);
    }

    static Endpoint of(NotifySpec receiver, Map<String, String> environment) {
        String written = receiver.webhook().orElseThrow();
        String url = resolved(written, environment);
        URI uri = URI.create(url);
        Map<String, String> headers = new LinkedHashMap<>();
        receiver.headers().forEach((name, text) -> headers.put(name, resolved(text, environment)));
        List<String> hidden = new ArrayList<>(List.of(url, uri.getRawPath()));
        hidden.addAll(headers.values());
        boolean named = NotifySpec.variable(written).isPresent();
        if (named) {
            Authority.of(uri).ifPresent(authority -> hidden.add(authority.host()));
        }
        hidden.removeIf(text -> text.length() <= 1);
        return new Endpoint(
                url, headers, receiver.secretEnv().map(environment::get), named ? written : label(uri), hidden);
    }

    /** Returns the URL without the parts that may be secret. */
    static String label(URI uri) {
        return uri.getScheme() + "://" + Authority.of(uri).map(Authority::text).orElse("");
    }

    /** Returns the text without what must stay hidden. */
    String hide(String text) {
        String shown = text;
        for (String secret : hidden) {
            shown = shown.replace(secret, "(hidden)");
        }
        return shown;
    }
}
