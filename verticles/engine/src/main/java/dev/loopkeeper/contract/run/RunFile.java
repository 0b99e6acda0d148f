package dev.loopkeeper.contract.run;

/**
 * A file of a run.
 *
 * @param path in the run's folder, e.g. {@code steps/build.1.dev.1/stdout.log}
 */
public record RunFile(String path, long bytes) {}
