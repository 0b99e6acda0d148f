package dev.loopkeeper.signal;

import dev.loopkeeper.verdict.SignalAge;
import java.util.Base64;
import java.util.Optional;

/**
 * Answer: what was read, not yet validated.
 *
 * @param base64 the bytes, at most {@link SignalFile#MOST_BYTES} + 1; absent when there is no file that can be read
 * @param age absent when there is no file, or it is not known when its place was made free
 * @param obstacle why something that is there cannot be read, e.g. that it is a named pipe
 */
public record SignalContent(
        String runId, String stepId, Optional<String> base64, Optional<SignalAge> age, Optional<String> obstacle) {
    /** The bytes themselves. */
    public Optional<byte[]> bytes() {
        return base64.map(text -> Base64.getDecoder().decode(text));
    }
}
