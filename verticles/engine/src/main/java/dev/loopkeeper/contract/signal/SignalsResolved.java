package dev.loopkeeper.contract.signal;

import dev.loopkeeper.run.SignalClaim;
import java.util.List;

/** Answer: each file with all its paths. */
public record SignalsResolved(List<SignalClaim> claims) {}
