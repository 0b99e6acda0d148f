package dev.loopkeeper.process;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a PID namespace is entered on this machine.
 *
 * @param words of util-linux's {@code unshare}
 * @param ownProc whether /proc can be mounted in it again; otherwise agents see the machine's pids there
 */
record NamespaceEntry(List<String> words, boolean ownProc) {
    private static final List<NamespaceEntry> CANDIDATES = List.of(
            new NamespaceEntry(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"), true),
            new NamespaceEntry(List.of("unshare", "--map-current-user", "--pid", "--fork", "--kill-child"), false));

    /** The first way that works here. Throws {@link LaunchException} when none does. Blocking. */
    static NamespaceEntry find() throws IOException {
        StringBuilder refusals = new StringBuilder();
        for (NamespaceEntry candidate : CANDIDATES) {
            String refusal = candidate.refusal();
            if (refusal.isEmpty()) {
                return candidate;
            }
            refusals.append(refusal).append("; ");
        }
        throw new LaunchException(
                "containment: namespace does not work on this machine (" + refusals + "use containment: session)");
    }

    private String refusal() throws IOException {
        Probe probe = Probe.of(Stream.concat(words.stream(), Stream.of("true")).toList());
        return probe.works() ? "" : "unshare: " + probe.said();
    }
}
