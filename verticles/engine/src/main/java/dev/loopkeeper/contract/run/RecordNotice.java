package dev.loopkeeper.contract.run;

/**
 * Command: put a notice into a run's record; it changes nothing else. Answered once that is durable.
 *
 * @param code stable, e.g. {@code control-file-refused}
 * @param message one sentence
 */
public record RecordNotice(String runId, String code, String message) {}
