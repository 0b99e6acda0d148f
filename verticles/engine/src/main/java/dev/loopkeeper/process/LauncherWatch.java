package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.AdoptedExitListener;
import io.vertx.core.Future;
import java.util.Optional;

/** Knows who started the launcher of an agent, and watches the exit of an agent that an earlier runtime launched. */
final class LauncherWatch {
    private final SupervisorContext around;
    private final AgentState state;
    private final Runnable watching;
    private final Runnable exited;
    private LauncherOwner owner = new LauncherOwner.Earlier();

    /**
     * @param watching called once the exit is watched
     * @param exited called when the watched agent has exited, or can no longer be watched
     */
    LauncherWatch(SupervisorContext around, AgentState state, Runnable watching, Runnable exited) {
        this.around = around;
        this.state = state;
        this.watching = watching;
        this.exited = exited;
    }

    /** Whether this runtime started its launcher, so that no earlier one can have supervised it. */
    boolean launchedHere() {
        return owner instanceof LauncherOwner.Here;
    }

    /** See {@link LauncherOwner#launcherLives}. */
    Optional<Boolean> launcherLives() {
        return owner.launcherLives();
    }

    /** Whether the end of the agent is reported without a poll. */
    boolean reportsEnd() {
        return owner instanceof LauncherOwner.Watched || launcherLives().orElse(false);
    }

    /** This runtime started the launcher. */
    void started(StartedLauncher launcher) {
        owner = new LauncherOwner.Here(launcher);
    }

    /** Watches no more. */
    void release() {
        if (owner instanceof LauncherOwner.Watched watched) {
            watched.unwatch().run();
        }
    }

    /** Watches the exit of an agent that an earlier runtime launched. */
    Future<StepFolderState> watchAdopted(StepFolderState found) {
        if (!(owner instanceof LauncherOwner.Earlier) || !(found instanceof StepFolderState.Alive alive)) {
            return Future.succeededFuture(found);
        }
        return around.workers()
                .executeBlocking(
                        () -> AdoptedExitListener.watch(
                                around.signals(),
                                alive.agent(),
                                () -> around.context().runOnContext(later -> adoptedExited())),
                        false)
                .map(unwatch -> {
                    unwatch.ifPresent(this::watched);
                    return found;
                });
    }

    private void watched(Runnable unwatch) {
        if (state.isOver() || owner instanceof LauncherOwner.Exited) {
            unwatch.run(); // the exit was reported before the watch was
            return;
        }
        owner = new LauncherOwner.Watched(unwatch);
        watching.run();
    }

    /** An adopted agent has exited, or can no longer be watched. */
    private void adoptedExited() {
        owner = new LauncherOwner.Exited();
        exited.run();
    }
}
