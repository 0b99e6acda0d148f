package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.manifest.read.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Applies the values of {@code --set} to a document, which the manifest's reader checks afterwards. */
final class Overrides {
    private static final Pattern PATH =
            Pattern.compile("[^.\\[\\]]+(?:\\[[0-9]{1,6}\\])*(?:\\.[^.\\[\\]]+(?:\\[[0-9]{1,6}\\])*)*");
    private static final Pattern SEGMENT = Pattern.compile("[^.\\[\\]]+");

    /** A path that leads nowhere. */
    private static final class NoSuchPathException extends RuntimeException {
        private final Optional<String> nearest;

        NoSuchPathException(String message, Optional<String> nearest) {
            super(message);
            this.nearest = nearest;
        }
    }

    private Overrides() {}

    static void apply(DocumentReading.Parsed document, Map<String, String> overrides, List<ManifestProblem> problems) {
        overrides.forEach((path, text) -> {
            SourcePosition option = SourcePosition.ofOption("--set " + path);
            DocumentReading value = ManifestText.parse(text);
            if (value instanceof DocumentReading.Unreadable unreadable) {
                String message = "the value is not valid YAML: " + placed(unreadable.problem());
                problems.add(new ManifestProblem(path, option, message, Optional.empty()));
                return;
            }
            try {
                List<String> resolved = set(document.document(), path, ((DocumentReading.Parsed) value).document());
                document.sources().put(resolved, SourceMap.at(option));
            } catch (NoSuchPathException nowhere) {
                problems.add(
                        new ManifestProblem(path, option, "cannot be set: " + nowhere.getMessage(), nowhere.nearest));
            }
        });
    }

    private static String placed(ManifestProblem problem) {
        return problem.position()
                        .mark()
                        .map(mark -> "line " + mark.line() + ", column " + mark.column() + ": ")
                        .orElse("")
                + problem.message();
    }

    /** Answers with the path as the document has it, elements of lists by their index. */
    private static List<String> set(JsonNode document, String path, JsonNode value) {
        List<String> resolved = new ArrayList<>();
        List<String> segments = segments(path);
        JsonNode parent = document;
        for (String segment : segments.subList(0, segments.size() - 1)) {
            resolved.add(member(parent, segment));
            parent = child(parent, segment);
        }
        String last = segments.get(segments.size() - 1);
        resolved.add(member(parent, last));
        if (parent instanceof ArrayNode list) {
            list.set(indexOf(list, last), value);
        } else {
            map(parent, last).set(last, value);
        }
        return resolved;
    }

    private static String member(JsonNode parent, String segment) {
        return parent instanceof ArrayNode list ? Integer.toString(indexOf(list, segment)) : segment;
    }

    private static List<String> segments(String path) {
        if (!PATH.matcher(path).matches()) {
            throw new NoSuchPathException(
                    "expected a path such as budget.costUsd or phases[0].loop.maxIterations", Optional.empty());
        }
        List<String> segments = new ArrayList<>();
        Matcher matcher = SEGMENT.matcher(path);
        while (matcher.find()) {
            segments.add(matcher.group());
        }
        return segments;
    }

    /** Creates missing parents as maps. */
    private static JsonNode child(JsonNode parent, String segment) {
        if (parent instanceof ArrayNode list) {
            return list.get(indexOf(list, segment));
        }
        ObjectNode map = map(parent, segment);
        return map.hasNonNull(segment) ? map.get(segment) : map.putObject(segment);
    }

    private static ObjectNode map(JsonNode parent, String segment) {
        if (parent instanceof ObjectNode map) {
            return map;
        }
        throw new NoSuchPathException("there is no map for " + segment, Optional.empty());
    }

    private static int indexOf(ArrayNode list, String segment) {
        List<String> names = new ArrayList<>();
        for (int index = 0; index < list.size(); index++) {
            JsonNode element = list.get(index);
            String name = element.path("name").asText(element.path("id").asText());
            names.add(name);
            if (name.equals(segment)) {
                return index;
            }
        }
        if (segment.matches("[0-9]{1,6}") && Integer.parseInt(segment) < list.size()) {
            return Integer.parseInt(segment);
        }
        throw new NoSuchPathException(
                "the list has " + list.size() + " elements, but no element " + segment, NearestName.of(segment, names));
    }
}
