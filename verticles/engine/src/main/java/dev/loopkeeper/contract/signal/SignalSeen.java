package dev.loopkeeper.contract.signal;

import dev.loopkeeper.verdict.SignalAge;
import java.util.Optional;

/**
 * Event: the signal file of a running step contains a complete JSON object. Published once for each distinct content;
 * the final signal is that of {@link ReadSignal}.
 *
 * @param content as it was read
 * @param age as in {@link SignalContent}
 */
public record SignalSeen(String runId, String stepId, String content, Optional<SignalAge> age) {}
