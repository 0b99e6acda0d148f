package dev.loopkeeper.process;

import java.util.concurrent.CompletionStage;

/**
 * A launcher that was started by this runtime, or whatever else tells one line. Keeps its standard input open for as long
 * as it lives: one that follows the runtime would else end the agent. Thread-safe.
 */
interface StartedLauncher {
    /** Its first line; empty when it ended without one. Never fails. */
    CompletionStage<String> told();

    /** Completes once it is gone and waited for; never fails. */
    CompletionStage<Void> gone();

    /** Whether it is not known to be gone. */
    boolean lives();
}
