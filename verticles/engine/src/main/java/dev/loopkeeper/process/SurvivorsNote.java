package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Some of its processes, with how each was found, e.g. those that could not be killed. */
record SurvivorsNote(List<Survivor> survivors) {
    /** One of them. */
    record Survivor(Identity identity, String foundBy) {}

    static SurvivorsNote of(Map<Identity, String> members) {
        return new SurvivorsNote(members.entrySet().stream()
                .map(member -> new Survivor(member.getKey(), member.getValue()))
                .toList());
    }

    /** Returns them in order, with how each was found. */
    Map<Identity, String> members() {
        Map<Identity, String> members = new LinkedHashMap<>();
        survivors.forEach(survivor -> members.put(survivor.identity(), survivor.foundBy()));
        return members;
    }
}
