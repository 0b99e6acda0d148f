package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.run.RunStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the runs and open steps that recovery found. */
final class RecoveryReport {
    private final Map<RunStatus, Integer> runs = new EnumMap<>(RunStatus.class);
    private int unreadable;
    private int adopted;
    private int ended;
    private int launched;
    private int failed;

    void run(RunStatus now) {
        runs.merge(now, 1, Integer::sum);
    }

    void unreadable() {
        unreadable++;
    }

    /** Counts an open step; no answer means that it could not be taken over. */
    void step(Optional<StepLaunched> answer) {
        if (answer.isEmpty()) {
            failed++;
        } else if (answer.get().pid().isEmpty()) {
            ended++;
        } else if (answer.get().adopted()) {
            adopted++;
        } else {
            launched++;
        }
    }

    boolean nothingFound() {
        return runs.isEmpty() && unreadable == 0;
    }

    /** E.g. {@code 3 open runs recovered (2 running, 1 paused); steps: 1 adopted, 1 had ended}. */
    String line() {
        int count = runs.values().stream().mapToInt(Integer::intValue).sum();
        List<String> statuses = new ArrayList<>();
        runs.forEach((status, number) -> statuses.add(number + " " + status.wire()));
        List<String> steps = new ArrayList<>();
        add(steps, adopted, "adopted");
        add(steps, ended, "had ended");
        add(steps, launched, "launched");
        add(steps, failed, "could not be taken over");
        return count + " open runs recovered" + (count == 0 ? "" : " (" + String.join(", ", statuses) + ")")
                + (steps.isEmpty() ? "" : "; steps: " + String.join(", ", steps))
                + (unreadable == 0 ? "" : "; " + unreadable + " runs cannot be read and are not executed");
    }

    private static void add(List<String> parts, int count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }
}
