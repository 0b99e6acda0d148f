package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIndexTest {
    private static final int MACHINES = 2000;
    private static final int PROCESSES = 40;
    private static final String NONCE = "n-1";

    @TempDir
    private Path group;

    private final Random random = new Random(20_261_122);

    @Test
    void findsThoseWhomAWalkOverAllFindsInTheSameOrder() throws IOException {
        int found = 0;
        for (int machine = 0; machine < MACHINES; machine++) {
            ProcessSnapshot snapshot = snapshot();
            ProcessTree tree = tree(snapshot);

            List<ProcessSnapshot.Seen> walked = tree.candidates(snapshot);

            assertThat(tree.candidates(snapshot.indexed())).isEqualTo(walked);
            found += walked.size();
        }
        assertThat(found).isGreaterThan(MACHINES);
    }

    private ProcessSnapshot snapshot() {
        List<ProcessSnapshot.Seen> processes = new ArrayList<>();
        for (int pid = 1; pid <= PROCESSES; pid++) {
            long parent = random.nextInt(PROCESSES + 1);
            long bornOf = random.nextBoolean() ? parent : random.nextInt(PROCESSES + 1);
            // Most are of groups of their own.
            long number = random.nextInt(4) == 0 ? 1 + random.nextInt(PROCESSES) : pid;
            ProcessStat stat = new ProcessStat(
                    pid, 'S', parent, number, random.nextBoolean() ? number : pid, random.nextInt(PROCESSES));
            processes.add(new ProcessSnapshot.Seen(identity(pid), stat, marks(), bornOf));
        }
        return new ProcessSnapshot(processes);
    }

    private static Identity identity(long pid) {
        return new Identity(pid, pid, "boot");
    }

    private Map<String, String> marks() {
        return switch (random.nextInt(12)) {
            case 0 -> Map.of(StepEnvironment.NONCE, NONCE);
            case 1 -> Map.of(StepEnvironment.NONCE, "n-2");
            case 2 -> Map.of("LOOPKEEPER_RUN_ID", "run-1");
            default -> Map.of();
        };
    }

    private ProcessTree tree(ProcessSnapshot snapshot) throws IOException {
        Optional<Identity> leader =
                random.nextBoolean() ? Optional.of(identity(1 + random.nextInt(PROCESSES))) : Optional.empty();
        Map<Identity, String> known = new LinkedHashMap<>();
        for (ProcessSnapshot.Seen seen : snapshot.processes()) {
            if (random.nextInt(PROCESSES) == 0) {
                known.put(seen.identity(), "group");
                known.put(new Identity(seen.stat().pid(), -1, "boot"), "an earlier one with its pid");
            }
        }
        String nonce = random.nextInt(4) == 0 ? "" : NONCE;
        return new ProcessTree(nonce, leader, true, random.nextBoolean() ? Optional.of(enclosed()) : Optional.empty())
                .knowing(known);
    }

    /** Also of some who are not there. */
    private Cgroup enclosed() throws IOException {
        String pids = IntStream.range(0, random.nextInt(3))
                .mapToObj(any -> Integer.toString(1 + random.nextInt(2 * PROCESSES)))
                .collect(Collectors.joining("\n"));
        Files.writeString(group.resolve("cgroup.procs"), pids);
        return new Cgroup(group);
    }
}
