package dev.loopkeeper.manifest.read;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.step.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads work items and checks their references to each other. */
final class ItemsReader {
    static final List<String> KEYS = List.of("id", "dependsOn", "vars");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** An item before its dependencies are checked. */
    private record Draft(Fields fields, String id, List<DocumentNode> dependencies) {}

    private ItemsReader() {}

    static List<ItemSpec> read(DocumentNode list) {
        List<Draft> drafts = Fields.each(list, KEYS).map(ItemsReader::draft).toList();
        Map<String, Draft> byId = new LinkedHashMap<>();
        for (Draft draft : drafts) {
            if (!draft.id().isEmpty() && byId.putIfAbsent(draft.id(), draft) != null) {
                String message = "the id " + Wording.quoted(draft.id()) + " is taken by an item above; ids are unique";
                draft.fields().at("id").ifPresent(id -> id.wrong(message));
            }
        }
        List<ItemSpec> items = drafts.stream().map(draft -> item(draft, byId)).toList();
        refuseCycles(items, byId);
        return items;
    }

    private static Draft draft(Fields fields) {
        String id = fields.required("id", "give the item an id that is unique in the phase")
                .flatMap(ItemsReader::id)
                .orElse("");
        return new Draft(
                fields, id, fields.at("dependsOn").map(DocumentNode::elements).orElse(List.of()));
    }

    private static Optional<String> id(DocumentNode node) {
        Optional<String> id = idText(node);
        if (id.isPresent() && !ID.matcher(id.get()).matches()) {
            node.wrong("expected an id of letters, digits, ., _ and -, starting with a letter or digit, at most 64,"
                    + " found " + Wording.quoted(id.get()));
            return Optional.empty();
        }
        return id;
    }

    /** An id may be a number, e.g. of an issue. */
    private static Optional<String> idText(DocumentNode node) {
        return node.value().isIntegralNumber() ? node.scalar() : node.text();
    }

    private static ItemSpec item(Draft draft, Map<String, Draft> known) {
        List<String> dependencies = new ArrayList<>();
        for (DocumentNode node : draft.dependencies()) {
            Optional<String> id = idText(node);
            if (id.isPresent() && !known.containsKey(id.get())) {
                String message = "no item of this phase has the id " + Wording.quoted(id.get());
                node.wrong(message, NearestName.of(id.get(), known.keySet()));
            }
            id.ifPresent(dependencies::add);
        }
        return new ItemSpec(
                draft.id(), List.copyOf(dependencies), draft.fields().texts("vars", ScalarMap.VARIABLES));
    }

    private static void refuseCycles(List<ItemSpec> items, Map<String, Draft> byId) {
        Map<String, List<String>> needs = new LinkedHashMap<>();
        items.forEach(item -> needs.putIfAbsent(item.id(), item.dependsOn()));
        for (List<String> cycle : Cycles.in(needs)) {
            Optional.ofNullable(byId.get(cycle.get(0)))
                    .flatMap(draft -> draft.fields().at("dependsOn"))
                    .ifPresent(list -> list.wrong("dependencies form a cycle: " + Cycles.text(cycle)));
        }
    }
}
