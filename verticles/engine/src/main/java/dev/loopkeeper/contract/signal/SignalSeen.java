package dev.loopkeeper.contract.signal;

import dev.loopkeeper.verdict.SignalAge;
import java.util.Optional;

/**
 * Event: a whole JSON object is in the signal file of a step that still runs. Published once per distinct content; what
 * counts in the end is {@link ReadSignal}.
 *
 * @param content as it was read
 * @param age as in {@link SignalContent}
 */
public record SignalSeen(String runId, String stepId, String content, Optional<SignalAge> age) {}
