package dev.loopkeeper.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StopAll;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What a launch costs by the native launcher beside the script, in turns: from the order to the pid, the processor time of
 * the programs that it takes, and the memory of launchers whose agents idle. Not part of the build, since figures are no
 * test: {@code mvn -Pbench test}.
 */
class LaunchBenchmark extends SupervisorHarness {
    private static final int LAUNCHES = 60;
    private static final int ROUNDS = 4;
    private static final int IDLE = 200;
    /** Of {@code /proc}: a hundredth of a second. */
    private static final double TICK_MILLIS = 10;

    @Test
    void measuresTheNativeLauncherAgainstTheScript() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            for (String launcher : List.of("native", "script")) {
                choose(launcher);
                measureLaunches(round, launcher);
            }
        }
        for (String launcher : List.of("native", "script")) {
            choose(launcher);
            measureIdle(launcher);
        }
        choose("native");
    }

    private static void choose(String launcher) {
        System.setProperty("loopkeeper.launcher", launcher);
    }

    private void measureLaunches(int round, String launcher) throws IOException {
        Supervising runtime = supervisor();
        double[] millis = new double[LAUNCHES];
        double before = 0;
        for (int launch = -1; launch < LAUNCHES; launch++) {
            StepSpec step = step().id(launcher + round + "." + (launch + 1))
                    .nonce("x-" + round + launcher.length() + "-" + (launch + 2))
                    .words("true")
                    .build();
            long start = System.nanoTime();
            runtime.launch(step);
            double took = (System.nanoTime() - start) / 1e6;
            runtime.exitOf(step);
            if (launch < 0) {
                before = childrenMillis();
            } else {
                millis[launch] = took;
            }
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "round %d, %s: a launch %.2f ms (median), programs' processor time %.2f ms%n",
                round,
                launcher,
                millis[LAUNCHES / 2],
                (childrenMillis() - before) / LAUNCHES);
    }

    private void measureIdle(String launcher) throws IOException {
        Supervising runtime = supervisor();
        List<StepSpec> steps = new ArrayList<>();
        for (int idle = 1; idle <= IDLE; idle++) {
            steps.add(step().id(launcher + "idle." + idle)
                    .nonce("y-" + launcher + "-" + idle)
                    .words("sleep", "300")
                    .build());
        }
        long start = System.nanoTime();
        steps.stream()
                .map(step -> runtime.asking(ProcessChannels.LAUNCH, new LaunchStep(step, false)))
                .toList()
                .forEach(SupervisorHarness::done);
        double took = (System.nanoTime() - start) / 1e6;
        long memory = 0;
        for (StepSpec step : steps) {
            memory += pss(folderOf(step).claimant().orElseThrow().pid());
        }
        System.out.printf(
                Locale.ROOT, "%s: %d at once %.0f ms, their launchers %.1f MB%n", launcher, IDLE, took, memory / 1e3);
        stopAll(runtime);
    }

    @CanIgnoreReturnValue
    private static Object stopAll(Supervising runtime) {
        return runtime.ask(ProcessChannels.STOP_ALL, new StopAll(false, true));
    }

    /** In kilobytes; shared pages count by part. */
    private static long pss(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    /** Of all children that were waited for, and theirs. */
    private static double childrenMillis() throws IOException {
        String[] fields = Files.readString(Path.of("/proc/self/stat"))
                .split("\\) ", -1)[1]
                .split(" ", -1);
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * TICK_MILLIS;
    }
}
