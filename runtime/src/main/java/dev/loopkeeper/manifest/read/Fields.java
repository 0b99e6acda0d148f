package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.step.Wording;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of a map in the document. Unknown keys are problems; null is treated as absent. */
final class Fields {
    private static final String AUTHORS_OWN = "x-";

    private final DocumentNode map;
    private final Map<String, Integer> positions = new HashMap<>();

    private Fields(DocumentNode map) {
        this.map = map;
        map.value().fieldNames().forEachRemaining(key -> positions.put(key, positions.size()));
    }

    /** The map's keys; notes a problem and returns empty when the value is not a map. */
    static Optional<Fields> of(DocumentNode node, List<String> known) {
        if (!node.value().isObject()) {
            return node.expected("a map with the keys " + String.join(", ", known));
        }
        Fields fields = new Fields(node);
        fields.refuseOthers(known, "");
        return Optional.of(fields);
    }

    /** The keys of the document; keys that begin with {@code x-} belong to its author. */
    static Fields ofDocument(DocumentNode node, List<String> known) {
        Fields fields = new Fields(node);
        fields.refuseOthers(known, AUTHORS_OWN);
        return fields;
    }

    /**
     * @param free prefix of keys that are ignored; empty for none
     */
    private void refuseOthers(List<String> known, String free) {
        for (String key : map.value().propertyStream().map(Map.Entry::getKey).toList()) {
            boolean passes = !free.isEmpty() && key.startsWith(free);
            if (!known.contains(key) && !passes) {
                Place place = map.place().key(key, positions.get(key));
                String message = "unknown key " + Wording.quoted(key) + "; known here: " + String.join(", ", known);
                map.problems().addAtKey(place, message, NearestName.of(key, known));
            }
        }
    }

    /** The map itself, for problems without a single key. */
    DocumentNode map() {
        return map;
    }

    boolean has(String key) {
        return map.value().hasNonNull(key);
    }

    boolean isNull(String key) {
        JsonNode value = map.value().get(key);
        return value != null && value.isNull();
    }

    Optional<DocumentNode> at(String key) {
        return has(key)
                ? Optional.of(new DocumentNode(map.value().get(key), place(key), map.problems()))
                : Optional.empty();
    }

    private Place place(String key) {
        return map.place().key(key, positions.getOrDefault(key, Place.MISSING));
    }

    /** The value; when it is missing, notes a problem with the remedy. */
    Optional<DocumentNode> required(String key, String remedy) {
        if (!has(key)) {
            map.problems().add(place(key), key + " is missing; " + remedy);
        }
        return at(key);
    }

    /** The spelling in use, even with null; values in both spellings are a problem. */
    String spelling(String key, String other) {
        if (has(key) && has(other)) {
            map.problems().add(place(other), "given twice, as " + key + " and as " + other + "; keep one of them");
        }
        return has(key) || !(has(other) || isNull(other)) ? key : other;
    }

    /** The maps of a list. */
    static Stream<Fields> each(DocumentNode list, List<String> known) {
        return list.elements().stream().flatMap(node -> of(node, known).stream());
    }

    /** The elements of a required list of at least one {@code kind}. */
    Stream<DocumentNode> elements(String key, String remedy, String kind) {
        return required(key, remedy).stream().flatMap(list -> list.elements(kind).stream());
    }

    Optional<String> text(String key) {
        return at(key).flatMap(DocumentNode::text);
    }

    int whole(String key, int least, int absent) {
        return at(key).flatMap(node -> node.whole(least)).orElse(absent);
    }

    int whole(String key, int least, int most, int absent) {
        return at(key).flatMap(node -> node.whole(least, most))
                .map(Long::intValue)
                .orElse(absent);
    }

    double number(String key, DocumentNode.Range range, double absent) {
        return at(key).flatMap(node -> node.number(range)).orElse(absent);
    }

    boolean flag(String key, boolean absent) {
        return at(key).flatMap(DocumentNode::flag).orElse(absent);
    }

    Optional<Duration> duration(String key, Duration least) {
        return at(key).flatMap(node -> node.duration(least));
    }

    <E> E choice(String key, Map<String, E> known, E absent) {
        return at(key).flatMap(node -> node.choice(known)).orElse(absent);
    }

    /** A map of names to scalars as texts; empty when absent. */
    Map<String, String> texts(String key, ScalarMap kind) {
        return at(key).map(kind::read).orElse(Map.of());
    }
}
