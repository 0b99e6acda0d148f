package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Who lives on this machine, found without our own code. */
final class Processes {
    private static final Pattern STEP = Pattern.compile("LOOPKEEPER_STEP_ID=(\\S+)");

    private Processes() {}

    /** Pid and command of each living process whose environment or command line has this text; zombies are dead. */
    static List<String> with(String mark) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            folders = all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList();
        }
        List<String> found = new ArrayList<>();
        for (Path process : folders) {
            String command = text(process.resolve("cmdline"));
            boolean marked =
                    command.contains(mark) || text(process.resolve("environ")).contains(mark);
            if (marked && !text(process.resolve("stat")).contains(") Z ")) {
                found.add(process.getFileName() + " " + command);
            }
        }
        return found;
    }

    /** Waits until none has it: a launcher ends a moment after it has recorded the end. Others may not even be there now. */
    static void awaitNoneWith(String mark) throws IOException {
        List<String> found = with(mark);
        found.removeIf(Processes::isLauncher);
        assertThat(found).isEmpty();
        Awaitility.await().untilAsserted(() -> assertThat(with(mark)).isEmpty());
    }

    private static boolean isLauncher(String process) {
        return process.contains("/launcher/launcher-");
    }

    /**
     * The step ids of this run whose agents, or what they left, live at one moment. Launchers that are about to end do
     * not count. Where a look, which takes its time, meets several, only those count whom a second look still meets.
     */
    static Set<String> stepsOf(String runId) throws IOException {
        Map<Long, String> first = processesOf(runId);
        if (Set.copyOf(first.values()).size() > 1) {
            first.keySet().retainAll(processesOf(runId).keySet());
        }
        return new TreeSet<>(first.values());
    }

    private static Map<Long, String> processesOf(String runId) throws IOException {
        Map<Long, String> steps = new HashMap<>();
        for (String process : with("LOOPKEEPER_RUN_ID=" + runId)) {
            long pid = Long.parseLong(process.split(" ", 2)[0]);
            Matcher step = STEP.matcher(environment(pid));
            if (!isLauncher(process) && step.find()) {
                steps.put(pid, step.group(1));
            }
        }
        return steps;
    }

    /** A zombie is dead. */
    static boolean lives(long pid) {
        String stat = text(Path.of("/proc", Long.toString(pid), "stat"));
        return !stat.isEmpty() && !stat.contains(") Z ");
    }

    /** Its environment, blanks between the entries; empty when it is gone. */
    static String environment(long pid) {
        return text(Path.of("/proc", Long.toString(pid), "environ"));
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }
}
