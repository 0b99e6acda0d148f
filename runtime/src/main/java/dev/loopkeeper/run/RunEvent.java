package dev.loopkeeper.run;

import java.time.Instant;

/**
 * A fact about a run. Its record is the event's {@code data}; the envelope's run, sequence, time and execution are
 * the state's. Facts are complete: applying them needs no rule. A new type of event is a record here that names its type,
 * and a row in the list below: {@link EventTypes} reads both. {@code docs/architecture.md} says what else goes with it.
 */
public sealed interface RunEvent
        permits RunCreated,
                RunQueued,
                RunStarted,
                RunResumed,
                RunPausing,
                RunPaused,
                RunWaiting,
                RunStopping,
                RunEnded,
                PhaseStarted,
                PhaseFinished,
                IterationStarted,
                IterationFinished,
                ItemStarted,
                ItemFinished,
                StepStarted,
                StepUsage,
                StepSignal,
                StepRetrying,
                StepFinished,
                StepSwept,
                WorkspaceCommitted,
                WorkspaceMerged,
                BudgetWarning,
                StopAsked,
                TerminalExhausted,
                TerminalExhaustionCleared,
                Notice {

    /** The state after this fact. Total: it applies to every state it can be recorded in. */
    RunState apply(RunState state, Instant at);

    /** One line for people, without run and time, e.g. {@code iteration 3 of build: PROGRESS}. */
    String text();
}
