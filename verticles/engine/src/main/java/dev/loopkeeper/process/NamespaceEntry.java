package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How a PID namespace is entered on this machine.
 *
 * @param words of util-linux's {@code unshare}
 * @param ownProc whether /proc can be mounted in it again; otherwise agents see the machine's pids there
 */
record NamespaceEntry(List<String> words, boolean ownProc) {
    private static final long PROBE_SECONDS = 5;
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
            refusals.append(refusal.strip()).append("; ");
        }
        throw new LaunchException(
                "containment: namespace does not work on this machine (" + refusals + "use containment: session)");
    }

    private String refusal() throws IOException {
        List<String> probe = new ArrayList<>(words);
        probe.add("true");
        Process process = new ProcessBuilder(probe).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            boolean works = process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            return works ? "" : "unshare: " + said;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
