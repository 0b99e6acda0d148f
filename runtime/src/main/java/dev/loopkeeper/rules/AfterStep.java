package dev.loopkeeper.rules;

/** Where a run goes on, when it goes on, after a step that held it up. */
enum AfterStep {
    /** Behind the step. */
    GO_ON,
    /** Behind its iteration: the steps that would have followed in it are dropped. */
    CUT_SHORT,
    /** With the step itself, which is launched again, unless a person accepts it as it is. */
    REDO
}
