package dev.loopkeeper.manifest;

/**
 * The file from which a run was submitted, so that a later change of it can be reported.
 *
 * @param path absolute, on the machine that submitted the run
 * @param sha256 of its content at that moment, 64 lower-case hexadecimal digits
 */
public record ManifestFile(String path, String sha256) {}
