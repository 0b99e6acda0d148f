package dev.loopkeeper.process.tree;

import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the processes for a receipt: the signals that each got and when it was gone. Not thread-safe. */
final class KilledProcesses {
    private static final class Entry {
        private final String command;
        private final String foundBy;
        private final List<String> signals = new ArrayList<>();
        private Optional<Instant> goneAt = Optional.empty();

        Entry(String command, String foundBy) {
            this.command = command;
            this.foundBy = foundBy;
        }
    }

    private final Map<Identity, Entry> entries = new LinkedHashMap<>();

    boolean knows(Identity identity) {
        return entries.containsKey(identity);
    }

    void add(Identity identity, String command, String foundBy) {
        entries.put(identity, new Entry(command, foundBy));
    }

    boolean wasSent(Identity identity, String signal) {
        return entries.get(identity).signals.contains(signal);
    }

    void sent(Identity identity, String signal) {
        entries.get(identity).signals.add(signal);
    }

    /** Marks all processes that are not among the living as gone. */
    void markGone(Map<Identity, String> living, Instant now) {
        entries.forEach((identity, entry) -> {
            if (entry.goneAt.isEmpty() && !living.containsKey(identity)) {
                entry.goneAt = Optional.of(now);
            }
        });
    }

    /** Returns processes that are not gone, with how each was found. */
    Map<Identity, String> left() {
        Map<Identity, String> left = new LinkedHashMap<>();
        entries.forEach((identity, entry) -> {
            if (entry.goneAt.isEmpty()) {
                left.put(identity, entry.foundBy);
            }
        });
        return left;
    }

    /** Returns processes that were signalled or survived, in the order in which they were found. */
    List<KilledProcess> processes() {
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().signals.isEmpty()
                        || entry.getValue().goneAt.isEmpty())
                .map(entry -> new KilledProcess(
                        entry.getKey().pid(),
                        entry.getValue().command,
                        entry.getValue().foundBy,
                        List.copyOf(entry.getValue().signals),
                        entry.getValue().goneAt))
                .toList();
    }
}
