package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads maps of names to texts: an environment, or values for templates. */
enum ScalarMap {
    ENVIRONMENT("[^=\\p{Cntrl}]+", "expected the name of an environment variable, without ="),
    HEADERS(".+", "expected the name of a header"),
    VARIABLES("[A-Za-z0-9_][A-Za-z0-9_.-]*", "expected a name of letters, digits, _, - and . that a template can use");

    private final Pattern name;
    private final String expectation;

    ScalarMap(String name, String expectation) {
        this.name = Pattern.compile(name);
        this.expectation = expectation;
    }

    /** Converts numbers and booleans to texts, also in the document; null entries are absent. */
    Map<String, String> read(DocumentNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.entries().forEach((key, value) -> {
            if (!name.matcher(key).matches()) {
                value.wrongKey(expectation);
            }
            Optional<String> text = value.scalar();
            if (this == ENVIRONMENT) {
                text.ifPresent(present -> value.fitsLaunch(key + "=" + present));
            }
            text.ifPresent(present -> texts.put(key, present));
            text.filter(present -> !value.value().isTextual())
                    .ifPresent(present -> ((ObjectNode) node.value()).put(key, present));
        });
        return Collections.unmodifiableMap(texts);
    }
}
