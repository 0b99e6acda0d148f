package dev.loopkeeper.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Signals to processes of this machine. */
final class Signals {
    private Signals() {}

    /** One that is gone gets none. */
    static void send(String name, long pid) {
        send(name, List.of(pid));
    }

    /** To all of them by one program, as close to the same moment as that goes. */
    static void send(String name, List<Long> pids) {
        List<String> words = new ArrayList<>(List.of("kill", "-s", name));
        pids.forEach(pid -> words.add(pid.toString()));
        try {
            int unused = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException refused) {
            throw new IllegalStateException(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever names this folder, until there is none; a minute at most. */
    static void killAll(Path folder) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            List<Long> left = of(folder);
            if (!left.isEmpty()) {
                send("KILL", left);
            }
            return left.isEmpty();
        });
    }

    /** What it has used of the processors, counted in hundredths of a second. */
    static double cpuMillis(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    /** Whose words or variables name this folder, but not this process. */
    static List<Long> of(Path folder) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> names(pid, "cmdline", folder) || names(pid, "environ", folder))
                .toList();
    }

    private static boolean names(long pid, String file, Path folder) {
        try {
            String text = Files.readString(Path.of("/proc/" + pid + "/" + file), StandardCharsets.ISO_8859_1);
            return (text + "\0").contains(folder + "\0") || text.contains(folder + "/");
        } catch (IOException gone) {
            return false;
        }
    }
}
