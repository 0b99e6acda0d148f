package dev.loopkeeper.manifest.read;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.policy.Cron;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.policy.Schedule.Missed;
import dev.loopkeeper.policy.Schedule.Overlap;
import dev.loopkeeper.step.Wording;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the schedules of a policy. */
final class SchedulesReader {
    static final List<String> KEYS =
            List.of("name", "cron", "zone", "manifest", "workspace", "vars", "overlap", "missed", "enabled", "hook");
    static final List<String> HOOK_KEYS = List.of("secretEnv", "match", "vars");

    private SchedulesReader() {}

    static List<Schedule> read(DocumentNode list) {
        Set<String> names = new HashSet<>();
        return Fields.each(list, KEYS).map(fields -> schedule(fields, names)).toList();
    }

    private static Schedule schedule(Fields fields, Set<String> names) {
        if (!fields.has("cron") && !fields.has("hook")) {
            fields.map().wrong("expected cron, hook or both");
        }
        return new Schedule(
                PolicyReader.name(fields, "name", "name the schedule", names),
                fields.at("cron").flatMap(SchedulesReader::cron),
                PolicyReader.zone(fields),
                fields.required("manifest", "give the absolute path of the manifest")
                        .flatMap(SchedulesReader::absolute)
                        .orElse(""),
                fields.at("workspace").flatMap(SchedulesReader::absolute),
                fields.texts("vars", ScalarMap.VARIABLES),
                fields.choice("overlap", Choices.OVERLAP, Overlap.SKIP),
                fields.choice("missed", Choices.MISSED, Missed.SKIP),
                fields.flag("enabled", true),
                fields.at("hook").flatMap(node -> Fields.of(node, HOOK_KEYS)).map(SchedulesReader::hook));
    }

    private static Optional<String> cron(DocumentNode node) {
        return node.text().filter(text -> {
            try {
                return Cron.of(text) != null;
            } catch (IllegalArgumentException wrong) {
                node.wrong(wrong.getMessage(), NearestName.of(text, Cron.words()));
                return false;
            }
        });
    }

    private static Optional<String> absolute(DocumentNode node) {
        return node.text(
                text -> text.startsWith("/"), text -> "expected an absolute path, found " + Wording.quoted(text));
    }

    private static Schedule.Hook hook(Fields fields) {
        return new Schedule.Hook(
                fields.required("secretEnv", "name the environment variable with the secret, e.g. HOOK_SECRET")
                        .flatMap(node -> node.text(NotifyReader.VARIABLE.asMatchPredicate(), NotifyReader::noVariable))
                        .orElse(""),
                fields.at("match").map(SchedulesReader::match).orElse(Map.of()),
                fields.at("vars").map(SchedulesReader::pointers).orElse(Map.of()));
    }

    private static Map<String, String> match(DocumentNode node) {
        Map<String, String> values = new LinkedHashMap<>();
        node.entries().forEach((pointer, value) -> {
            if (!pointer.startsWith("/")) {
                value.wrongKey(noPointer(pointer));
            }
            value.scalar().ifPresent(text -> values.put(pointer, text));
        });
        return Collections.unmodifiableMap(values);
    }

    private static Map<String, String> pointers(DocumentNode node) {
        Map<String, String> pointers = ScalarMap.VARIABLES.read(node);
        node.entries().forEach((name, value) -> {
            if (pointers.containsKey(name) && !pointers.get(name).startsWith("/")) {
                value.wrong(noPointer(pointers.get(name)));
            }
        });
        return pointers;
    }

    private static String noPointer(String text) {
        return "expected a JSON pointer such as /ref, found " + Wording.quoted(text);
    }
}
