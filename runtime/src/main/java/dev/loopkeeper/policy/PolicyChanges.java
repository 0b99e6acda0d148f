package dev.loopkeeper.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts in which one policy differs from another, e.g. {@code pool claude-max}.
 *
 * @param added only in the new one
 * @param changed in both, with other content
 * @param removed only in the old one
 */
public record PolicyChanges(List<String> added, List<String> changed, List<String> removed) {
    /** Returns what makes {@code after} of {@code before}. */
    public static PolicyChanges between(Policy before, Policy after) {
        PolicyChanges changes = new PolicyChanges(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        changes.add("pool ", before.pools(), after.pools(), Pool::name);
        changes.add("cap ", before.caps(), after.caps(), Cap::name);
        changes.add("price ", before.prices(), after.prices(), Price::model);
        changes.add("schedule ", before.schedules(), after.schedules(), Schedule::name);
        if (changes.isEmpty() && !before.prices().equals(after.prices())) {
            changes.changed.add("order of prices");
        }
        return changes;
    }

    private <T> void add(String kind, List<T> before, List<T> after, Function<T, String> name) {
        Map<String, T> old = new LinkedHashMap<>();
        before.forEach(part -> old.put(name.apply(part), part));
        after.forEach(part -> {
            T former = old.remove(name.apply(part));
            if (former == null) {
                added.add(kind + name.apply(part));
            } else if (!former.equals(part)) {
                changed.add(kind + name.apply(part));
            }
        });
        old.keySet().forEach(gone -> removed.add(kind + gone));
    }

    /** Returns whether both policies mean the same. */
    public boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
    }

    /** Returns e.g. {@code added pool claude-max, cap night; removed cap day}; empty without a change. */
    public String text() {
        return Stream.of(text("added ", added), text("changed ", changed), text("removed ", removed))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String text(String what, List<String> parts) {
        return parts.isEmpty() ? "" : what + String.join(", ", parts);
    }
}
