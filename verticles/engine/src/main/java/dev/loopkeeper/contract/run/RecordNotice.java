package dev.loopkeeper.contract.run;

/**
 * Command: record a notice in a run, without another effect. Answered once that is durable.
 *
 * @param code stable, e.g. {@code control-file-refused}
 * @param message one sentence
 */
public record RecordNotice(String runId, String code, String message) {}
