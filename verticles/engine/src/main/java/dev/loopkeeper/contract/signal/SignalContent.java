package dev.loopkeeper.contract.signal;

import dev.loopkeeper.verdict.SignalAge;
import java.util.Optional;

/**
 * Answer: the content of the file, not validated yet.
 *
 * @param bytes at most 1 MiB + 1, which is too many; absent if there is no readable file
 * @param age absent if there is no file, or the time of the preparation is unknown
 * @param obstacle why an existing file cannot be read, e.g. that it is a named pipe
 */
public record SignalContent(
        String runId, String stepId, Optional<byte[]> bytes, Optional<SignalAge> age, Optional<String> obstacle) {}
