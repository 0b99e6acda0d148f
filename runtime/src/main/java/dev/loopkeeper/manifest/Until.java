package dev.loopkeeper.manifest;

/** What completes a loop. */
public sealed interface Until {
    /** Written {@code signal}: a step's determination SUCCESS or verdict approved. */
    record Signal() implements Until {}

    /** Written {@code iterations}: the loop is complete after its last iteration. */
    record Iterations() implements Until {}

    /** Written {@code {output: TEXT}}: a step of the iteration printed this text. */
    record Output(String text) implements Until {}

    /** Written {@code {command: [...]}}: this command, run after each iteration, exits with 0. */
    record Command(CommandLine command) implements Until {}
}
