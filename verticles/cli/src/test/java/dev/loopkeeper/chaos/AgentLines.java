package dev.loopkeeper.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the agents of all runs wrote while they were at work. */
final class AgentLines {
    /** The script of an agent: a line each 20 ms with its attempt, its node and the machine's boot clock. */
    static final String SCRIPT = """
            #!/usr/bin/env bash
            exec {wait}<> <(:)
            node=${LOOPKEEPER_DATA##*/}
            for ((i = 0; i < 150; i++)); do
                read -r up _ </proc/uptime
                echo "$LOOPKEEPER_STEP_ID/$LOOPKEEPER_NONCE $node $up" >>"LINES/$LOOPKEEPER_RUN_ID"
                read -r -t 0.02 -u "$wait"
            done
            printf '{"status":"completed","determination":"PROGRESS"}' >"$LOOPKEEPER_SIGNAL_FILE"
            """;

    private AgentLines() {}

    /** A launch and from when until when it wrote, in hundredths of a second. */
    private record Launch(String attempt, String node, long from, long to) {
        Launch and(long at) {
            return new Launch(attempt, node, Math.min(from, at), Math.max(to, at));
        }
    }

    /**
     * Two agents of one run at the same time, as text; those of one node whose whole end is in such a pause may take a
     * tenth of a second.
     *
     * @param paused from when until when nodes stood still as a whole, in hundredths of a second, by their names
     */
    static List<String> overlaps(Path lines, Map<String, List<long[]>> paused) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(lines)) {
            for (Path file : files.toList()) {
                Map<String, Launch> launches = new LinkedHashMap<>();
                for (String line : Files.readAllLines(file)) {
                    String[] words = line.split(" ", -1);
                    if (words.length != 3 || !words[2].matches("\\d+\\.\\d\\d")) {
                        continue;
                    }
                    long at = Long.parseLong(words[2].replace(".", ""));
                    launches.merge(
                            words[0] + "@" + words[1],
                            new Launch(words[0], words[1], at, at),
                            (known, more) -> known.and(at));
                }
                List<Launch> inOrder = new ArrayList<>(launches.values());
                inOrder.sort(Comparator.comparing(Launch::from));
                for (int later = 1; later < inOrder.size(); later++) {
                    for (int earlier = 0; earlier < later; earlier++) {
                        Launch first = inOrder.get(earlier);
                        Launch second = inOrder.get(later);
                        long both = first.to() - second.from();
                        boolean thawed = paused.getOrDefault(first.node(), List.of()).stream()
                                .anyMatch(pause -> pause[0] <= first.to() && first.to() <= pause[1] + 100);
                        // After a pause only what came after its end is beside the new owner's.
                        long allowed = thawed ? Long.MAX_VALUE : 0;
                        if (thawed) {
                            long end = paused.get(first.node()).stream()
                                    .filter(pause -> pause[1] <= first.to())
                                    .mapToLong(pause -> pause[1])
                                    .max()
                                    .orElse(first.to());
                            both = first.to() - end;
                            allowed = 10;
                        }
                        if (first.to() > second.from() && both > allowed) {
                            found.add(file.getFileName() + ": " + first + " beside " + second + " for " + both * 10
                                    + " ms");
                        }
                    }
                }
            }
        }
        return found;
    }
}
