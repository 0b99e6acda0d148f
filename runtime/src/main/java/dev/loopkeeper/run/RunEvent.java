package dev.loopkeeper.run;

import java.time.Instant;

/**
 * An event of a run. The record is the event's {@code data}; run, sequence, time and execution come from the state. An
 * event is complete: applying it needs no rule. A new event type is a record that names its type, and an entry in the
 * list below, which {@link EventTypes} reads. {@code docs/architecture.md} lists the further steps.
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
                AskOpened,
                AskClosed,
                WorkspaceCommitted,
                WorkspaceMerged,
                BudgetWarning,
                StopAsked,
                TerminalExhausted,
                TerminalExhaustionCleared,
                Notice {

    /** Applies the event to the state. Total: every event applies to every state in which it can be recorded. */
    RunState apply(RunState state, Instant at);

    /** One line for people, without run and time, e.g. {@code iteration 3 of build: PROGRESS}. */
    String text();
}
