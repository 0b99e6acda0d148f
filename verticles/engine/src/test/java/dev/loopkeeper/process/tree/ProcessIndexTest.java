package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessIndexTest {
    private static final int MACHINES = 2000;
    private static final int PROCESSES = 40;
    private static final String NONCE = "n-1";

    private final Random random = new Random(20_261_122);

    @Test
    void findsTheProcessesThatAWalkOverAllFindsInTheSameOrder() {
        int found = 0;
        for (int machine = 0; machine < MACHINES; machine++) {
            List<ProcessSnapshot.Seen> processes = processes();
            long number = random.nextInt(PROCESSES + 1) - 1;
            String nonce = random.nextInt(4) == 0 ? "" : NONCE;
            Set<Identity> known = known(processes);
            Set<Long> pids = pids();

            List<ProcessSnapshot.Seen> walked = walk(processes, number, nonce, known, pids);

            assertThat(new ProcessIndex(processes).family(number, nonce, known, pids))
                    .isEqualTo(walked);
            found += walked.size();
        }
        assertThat(found).isGreaterThan(MACHINES);
    }

    private static List<ProcessSnapshot.Seen> walk(
            List<ProcessSnapshot.Seen> processes, long number, String nonce, Set<Identity> known, Set<Long> pids) {
        List<ProcessSnapshot.Seen> family = new ArrayList<>(processes.stream()
                .filter(seen -> pids.contains(seen.stat().pid())
                        || seen.stat().pid() == number
                        || seen.stat().session() == number
                        || seen.stat().group() == number
                        || seen.carries(nonce)
                        || known.contains(seen.identity()))
                .toList());
        Set<Long> parents = new HashSet<>(pids);
        int size = -1;
        while (size < family.size()) {
            size = family.size();
            family.forEach(seen -> parents.add(seen.stat().pid()));
            processes.stream()
                    .filter(seen -> parents.contains(seen.stat().parent()) || parents.contains(seen.bornOf()))
                    .filter(seen -> !family.contains(seen))
                    .toList()
                    .forEach(family::add);
        }
        return family;
    }

    private List<ProcessSnapshot.Seen> processes() {
        List<ProcessSnapshot.Seen> processes = new ArrayList<>();
        for (int pid = 1; pid <= PROCESSES; pid++) {
            long parent = random.nextInt(PROCESSES + 1);
            long bornOf = random.nextBoolean() ? parent : random.nextInt(PROCESSES + 1);
            // Most are of groups of their own.
            long number = random.nextInt(4) == 0 ? 1 + random.nextInt(PROCESSES) : pid;
            ProcessStat stat = new ProcessStat(
                    pid, 'S', parent, number, random.nextBoolean() ? number : pid, random.nextInt(PROCESSES));
            processes.add(new ProcessSnapshot.Seen(new Identity(pid, pid, "boot"), stat, marks(), bornOf));
        }
        return processes;
    }

    private Map<String, String> marks() {
        return switch (random.nextInt(12)) {
            case 0 -> Map.of(StepEnvironment.NONCE, NONCE);
            case 1 -> Map.of(StepEnvironment.NONCE, "n-2");
            case 2 -> Map.of("LOOPKEEPER_RUN_ID", "run-1");
            default -> Map.of();
        };
    }

    /** Some of the processes, and ended ones with their pids. */
    private Set<Identity> known(List<ProcessSnapshot.Seen> processes) {
        return processes.stream()
                .filter(seen -> random.nextInt(PROCESSES) == 0)
                .flatMap(seen ->
                        Stream.of(seen.identity(), new Identity(seen.stat().pid(), -1, "boot")))
                .collect(Collectors.toSet());
    }

    /** Includes pids that no process has. */
    private Set<Long> pids() {
        return IntStream.range(0, random.nextInt(3))
                .mapToObj(any -> (long) (1 + random.nextInt(2 * PROCESSES)))
                .collect(Collectors.toSet());
    }
}
