package dev.loopkeeper.rules;

/**
 * Where a resumed run continues after a step that caused a pause or an ending. {@code docs/deciding.md} has the table for
 * tasks, gates, loops and items.
 */
enum AfterStep {
    /** After the step. */
    GO_ON,
    /** After its iteration; the remaining steps of the iteration are dropped. */
    CUT_SHORT,
    /** At the step: it is launched again, unless a person accepts its result. */
    REDO
}
