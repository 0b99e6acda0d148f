package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.Plan;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lists the differences between a run's manifest and its replacement. It shows numbers, flags and durations, but no
 * other values, since those may be secrets.
 */
final class ManifestChanges {
    private static final int MOST = 50;
    private static final Set<String> SECRET = Set.of("env", "vars", "notify");
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}(?:ms|s|m|h)");

    private final List<String> found = new ArrayList<>();

    private ManifestChanges() {}

    /** One line per difference, at most {@value #MOST} and the number of further ones; empty without differences. */
    static List<String> between(RunState state, ChangedManifest changed) {
        Plan before = state.plan();
        if (changed.on(state).manifest().equals(before.manifest())) {
            return List.of();
        }
        ManifestChanges changes = new ManifestChanges();
        changes.compare("", before.document(), changed.manifest(), true);
        List<String> all = changes.found.isEmpty() ? List.of("only its defaults differ") : changes.found;
        List<String> shown = new ArrayList<>(all.subList(0, Math.min(MOST, all.size())));
        if (all.size() > MOST) {
            shown.add("and " + (all.size() - MOST) + " more");
        }
        return List.copyOf(shown);
    }

    private void compare(String path, JsonNode before, JsonNode after, boolean open) {
        if (before.equals(after)) {
            return;
        }
        if (before instanceof ObjectNode was && after instanceof ObjectNode is) {
            members(path, membersOf(was), membersOf(is), open);
        } else if (isNamed(before) && isNamed(after)) {
            Map<String, JsonNode> was = byName(before);
            Map<String, JsonNode> is = byName(after);
            members(path, was, is, open);
            if (was.keySet().equals(is.keySet()) && !List.copyOf(was.keySet()).equals(List.copyOf(is.keySet()))) {
                found.add(line(path, "order changed"));
            }
        } else if (before.isMissingNode() || after.isMissingNode()) {
            found.add(line(path, before.isMissingNode() ? "added" : "removed"));
        } else {
            boolean shown = open && isPlain(before) && isPlain(after);
            found.add(line(path, shown ? before.asText() + " -> " + after.asText() : "changed"));
        }
    }

    private void members(String path, Map<String, JsonNode> before, Map<String, JsonNode> after, boolean open) {
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            boolean ignored = path.isEmpty() && (name.startsWith("x-") || name.equals("$schema"));
            if (!ignored) {
                JsonNode was = before.getOrDefault(name, MissingNode.getInstance());
                JsonNode is = after.getOrDefault(name, MissingNode.getInstance());
                compare(path.isEmpty() ? name : path + "." + name, was, is, open && !SECRET.contains(name));
            }
        }
    }

    private static Map<String, JsonNode> membersOf(ObjectNode object) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    /** Lists of phases and items are compared by name, not by position. */
    private static boolean isNamed(JsonNode list) {
        return list instanceof ArrayNode && !list.isEmpty() && byName(list).size() == list.size();
    }

    private static Map<String, JsonNode> byName(JsonNode list) {
        Map<String, JsonNode> elements = new LinkedHashMap<>();
        for (JsonNode element : list) {
            JsonNode name = element.hasNonNull("name") ? element.path("name") : element.path("id");
            if (name.isValueNode()) {
                elements.put(name.asText(), element);
            }
        }
        return elements;
    }

    private static boolean isPlain(JsonNode value) {
        return value.isNumber()
                || value.isBoolean()
                || value.isNull()
                || (value.isTextual() && DURATION.matcher(value.textValue()).matches());
    }

    private static String line(String path, String what) {
        return OneLine.of(path.isEmpty() ? "the manifest" : path, OneLine.SUMMARY) + ": " + what;
    }
}
