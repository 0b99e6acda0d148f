package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;

import dev.loopkeeper.run.RunEvent;
import java.util.List;
import java.util.OptionalLong;

/** Runs whose histories hold every type of event. */
public final class EveryEvent {
    private EveryEvent() {}

    static List<RunKit> runs() {
        return List.of(waiting(), stoppedAndResumed(), items(), inWorktrees(), removed());
    }

    /** All the facts of these runs. */
    public static List<RunEvent> all() {
        return runs().stream().flatMap(run -> run.history().stream()).toList();
    }

    private static RunKit waiting() {
        return RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 5"))
                .uses("dev", StepEnd.cost(0.9))
                .asks("dev", "Which one?", "the first", "the second")
                .answers("the second")
                .ends("dev", provider(OptionalLong.of(1000)));
    }

    private static RunKit stoppedAndResumed() {
        return RunKit.started(Manifests.loop("maxIterations: 5"))
                .pause()
                .ends("dev", exit(0).leaving("12 sleeper"))
                .resume(Resume.plain())
                .crash()
                .stop()
                .ends("judge", signal("determination: PROGRESS"))
                .swept()
                .resume(Resume.plain().feedback("faster"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: SUCCESS"));
    }

    private static RunKit items() {
        return RunKit.queued(Manifests.each("{id: f1}", "maxAttempts: 1"))
                .placeFree(false)
                .start()
                .placeFree(true)
                .start()
                .ends("dev", exit(0))
                .ends("audit", signal("verdict: approved"));
    }

    private static RunKit inWorktrees() {
        return RunKit.started("isolation: {git: worktree}\n" + Manifests.each("{id: f1}", "maxAttempts: 2"))
                .ends("dev", exit(0).committing("c1"))
                .ends("audit", signal("verdict: approved"))
                .conflicts("one.txt")
                .ends("dev", exit(0).committing("c2"))
                .ends("audit", signal("verdict: approved"))
                .merged("m1");
    }

    private static RunKit removed() {
        return inWorktrees().dropped();
    }
}
