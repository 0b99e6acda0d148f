package dev.loopkeeper.contract;

import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.rules.message.StepOutcome.Exit;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Event-bus channels of processes, {@code loopkeeper.processes.<command>}, each with its request and answer. The handlers
 * are in {@code process}.
 */
public final class ProcessChannels {
    public static final RequestChannel<LaunchStep, StepLaunched> LAUNCH =
            new RequestChannel<>("loopkeeper.processes.launch", LaunchStep.class, StepLaunched.class);

    /**
     * Command: launch a step, or adopt the one that an earlier runtime launched under the same id. Safe to repeat: a step
     * is never launched twice. Answered by {@link StepLaunched}; its end is published as {@link StepExited}.
     *
     * @param recovered whether an earlier runtime requested the step and may have launched it
     */
    public record LaunchStep(StepSpec step, boolean recovered) {}

    /**
     * Answer: the result of a {@link LaunchStep}.
     *
     * @param pid of the agent, which leads its own session; absent if it could not be launched or is gone already
     * @param adopted whether it was already running
     */
    public record StepLaunched(String runId, String stepId, OptionalLong pid, boolean adopted) {}

    public static final RequestChannel<ConfineCommand, ConfinedCommand> CONFINE =
            new RequestChannel<>("loopkeeper.processes.confine", ConfineCommand.class, ConfinedCommand.class);

    /** Question: what confines a command in this sandbox of the step, see {@link ConfinedCommand}. */
    public record ConfineCommand(StepSpec step, SandboxSpec sandbox) {}

    /**
     * Answer: the sandbox of a command.
     *
     * @param words before it
     * @param refusal why the machine cannot enforce it and what to do; then it must not run
     */
    public record ConfinedCommand(List<String> words, Optional<String> refusal) {}

    /** A launch was answered. */
    public static final EventChannel<StepLaunched> LAUNCHED = new EventChannel<>("loopkeeper.processes.launched");

    /** A step's processes are gone. */
    public static final EventChannel<StepExited> EXITED = new EventChannel<>("loopkeeper.processes.exited");

    /**
     * Event: a step's process and its descendants are gone. Published once for each step and runtime; the next runtime may
     * report a recovered step again.
     *
     * @param launchError why it could not be launched, unless the agent is at fault: {@code INFRASTRUCTURE}
     * @param swept processes that were left behind, and whether they are gone
     * @param internalError failure of Loopkeeper or the machine that ended the supervision; the run cannot continue
     * @param reported what a handler reported beside its output
     */
    public record StepExited(
            String runId,
            String stepId,
            Exit process,
            Optional<ErrorKind> launchError,
            OutputDigest output,
            KillReceipt swept,
            Optional<String> internalError,
            Optional<Reported> reported) {
        /**
         * What a handler reported.
         *
         * @param error of the category that the embedding program gave its exception
         */
        public record Reported(Usage usage, Optional<ErrorContext> error) {
            /** Adds it to what the output says, whose error may be of a finer kind in the same category. */
            public StepReport on(StepReport read) {
                Optional<ErrorContext> better = error.filter(given -> read.error()
                        .filter(known -> known.category() == given.category())
                        .isEmpty());
                StepReport used = read.withUsage(usage.or(read.usage()));
                return better.isEmpty() ? used : used.withError(better).withResumeAt(Optional.empty());
            }
        }

        /** Builds the exit of a step whose supervision failed, so that nothing is known of it. */
        public static StepExited broken(String runId, String stepId, Instant now, String internalError) {
            KillReceipt unknown =
                    new KillReceipt(runId, Optional.of(stepId), now, now, KillReceipt.Outcome.survivors, List.of());
            return unseen(
                    stepId, ExitCause.VANISHED, internalError, Optional.empty(), unknown, Optional.of(internalError));
        }

        /** Builds the exit of a step whose process was not supervised; its times are those of the receipt. */
        public static StepExited unseen(
                String stepId,
                ExitCause cause,
                String diagnostic,
                Optional<ErrorKind> launchError,
                KillReceipt swept,
                Optional<String> internalError) {
            Instant at = swept.verifiedAt();
            Exit process = new Exit(cause, OptionalLong.empty(), OptionalInt.empty(), at, at, Optional.of(diagnostic));
            return new StepExited(
                    swept.runId(),
                    stepId,
                    process,
                    launchError,
                    OutputDigest.UNREAD,
                    swept,
                    internalError,
                    Optional.empty());
        }
    }

    /** A handler reported usage. */
    public static final EventChannel<StepUsed> USED = new EventChannel<>("loopkeeper.processes.used");

    /** Event: the total usage of a running step so far. */
    public record StepUsed(String runId, String stepId, Usage usage) {}

    public static final RequestChannel<StopStep, KillReceipt> STOP =
            new RequestChannel<>("loopkeeper.processes.stop", StopStep.class, KillReceipt.class);

    /**
     * Command: end the process tree of a step. Answered by its {@link KillReceipt} once no process is left or the rest
     * cannot be killed; with an empty receipt if the step is gone already. Safe to repeat.
     *
     * @param now skips the grace, also that of a stop in progress
     * @param why who requested it
     */
    public record StopStep(String runId, String stepId, boolean now, ExitCause why) {}

    public static final RequestChannel<SweepStep, KillReceipt> SWEEP =
            new RequestChannel<>("loopkeeper.processes.sweep", SweepStep.class, KillReceipt.class);

    /**
     * Command: scan again for processes that an ended step left alive, and end them. Answered by a receipt; safe to repeat.
     *
     * @param now skips the grace
     */
    public record SweepStep(String runId, String stepId, boolean now) {}

    public static final RequestChannel<KillRole, KillReceipt> KILL =
            new RequestChannel<>("loopkeeper.processes.kill", KillRole.class, KillReceipt.class);

    /**
     * Command: end all live steps of a role of a run. Answered by one {@link KillReceipt}; fails with a text that names the
     * live roles if no step has this one.
     *
     * @param role name of the agent, or the id of a single step
     * @param now skips the grace
     * @param by who requests it, as in the receipt
     */
    public record KillRole(String runId, String role, boolean now, String by) {
        /** Command of the owner of the data folder. */
        public KillRole(String runId, String role, boolean now) {
            this(runId, role, now, Requester.LOCAL);
        }

        /** Returns whether the command applies to this step of the run. */
        public boolean means(String agent, String stepId) {
            return role.equals(agent) || role.equals(stepId);
        }
    }

    public static final RequestChannel<ListProcesses, ProcessList> LIST =
            new RequestChannel<>("loopkeeper.processes.list", ListProcesses.class, ProcessList.class);

    /**
     * Request: the live agents.
     *
     * @param runId only those of this run
     */
    public record ListProcesses(Optional<String> runId) {}

    /** Answer: the live agents and git processes, oldest first. */
    public record ProcessList(List<LiveProcess> processes) {}

    public static final RequestChannel<ReapOrphans, Reaped> REAP =
            new RequestChannel<>("loopkeeper.processes.reap", ReapOrphans.class, Reaped.class);

    /**
     * Command: find orphaned processes, which carry a nonce of this data folder but belong to no open step, and end them
     * unless it is a dry run.
     *
     * @param openSteps {@code runId/stepId} of open steps that this supervisor does not watch, such as steps that are not
     *     adopted yet
     * @param exemptRuns runs whose open steps are unknown; their processes are exempt
     * @param onlyRuns absent: all runs
     */
    public record ReapOrphans(
            boolean dryRun, Set<String> openSteps, Set<String> exemptRuns, Optional<Set<String>> onlyRuns) {}

    public static final RequestChannel<StopAll, StoppedAll> STOP_ALL =
            new RequestChannel<>("loopkeeper.processes.stop-all", StopAll.class, StoppedAll.class);

    /**
     * Command: end all supervised steps before the runtime stops.
     *
     * @param exemptKept agents with {@code onRuntimeDeath: keep} continue without supervision; the next runtime adopts them
     * @param now skips the grace
     */
    public record StopAll(boolean exemptKept, boolean now) {}

    /**
     * Answer: what a {@link StopAll} ended.
     *
     * @param exempt agents that continue
     */
    public record StoppedAll(List<KillReceipt> receipts, List<LiveProcess> exempt) {}

    private ProcessChannels() {}
}
