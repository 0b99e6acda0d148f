package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Random;

/** Requests to continue: plain, fitting, and nonsensical. */
final class RandomRequests {
    private static final List<ResumeAction> ACTIONS = List.of(ResumeAction.values());
    private final Random random;
    private final Weights actions;

    RandomRequests(Random random) {
        this.random = random;
        this.actions = new Weights(random, 3, 3, 1, 1, 1, 3);
    }

    ResumeRequest next(RunState state) {
        Resume request =
                state.condition() instanceof Condition.Paused paused ? inPause(paused.pause()) : afterEnd(state);
        if (random.nextInt(12) == 0) {
            request = request.force();
        }
        return random.nextInt(15) == 0 ? request.dryRun().request() : request.request();
    }

    private Resume inPause(Pause pause) {
        List<ResumeAction> allowed = pause.allowedActions();
        boolean fits = random.nextInt(6) != 0;
        ResumeAction drawn = ACTIONS.get(actions.pick(random));
        ResumeAction action = fits && !allowed.contains(drawn) ? allowed.get(random.nextInt(allowed.size())) : drawn;
        Resume request = random.nextInt(5) == 0 ? Resume.plain() : Resume.with(action);
        return random.nextInt(3) == 0 ? request.feedback("try otherwise") : request;
    }

    private Resume afterEnd(RunState state) {
        Resume request = Resume.plain();
        if (random.nextBoolean()) {
            request = request.feedback("try otherwise").acknowledge();
        }
        if (random.nextBoolean()) {
            request = request.costUsd(20 + random.nextInt(5));
        }
        if (random.nextInt(3) == 0) {
            request = request.maxIterations(random.nextInt(9));
        }
        if (random.nextInt(3) == 0) {
            request = request.maxAttempts(1 + random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            request = request.resetStatistics();
        }
        if (random.nextInt(3) == 0) {
            request = request.maxRejectRate(random.nextDouble());
        }
        return items(request, state);
    }

    private Resume items(Resume request, RunState state) {
        if (state.cursor().work() instanceof EachWork each && random.nextBoolean()) {
            List<String> lost = each.ids(item -> item.isLost() || random.nextInt(4) == 0);
            return request.resetItems(lost.toArray(String[]::new));
        }
        String phase = state.phase().map(spec -> spec.name()).orElse("none");
        return random.nextInt(8) == 0 ? request.waive(phase) : request;
    }
}
