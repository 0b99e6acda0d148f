package dev.loopkeeper.contract.signal;

import dev.loopkeeper.verdict.SignalAge;
import java.util.Optional;

/**
 * Answer: what was read, not yet validated.
 *
 * @param bytes at most 1 MiB + 1, which is too many; absent when there is no file that can be read
 * @param age absent when there is no file, or it is not known when its place was made free
 * @param obstacle why something that is there cannot be read, e.g. that it is a named pipe
 */
public record SignalContent(
        String runId, String stepId, Optional<byte[]> bytes, Optional<SignalAge> age, Optional<String> obstacle) {}
