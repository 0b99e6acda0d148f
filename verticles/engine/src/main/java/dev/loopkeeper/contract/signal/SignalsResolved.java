package dev.loopkeeper.contract.signal;

import dev.loopkeeper.run.SignalClaim;
import java.util.List;

/** Answer: each of the files with all by which it is known. */
public record SignalsResolved(List<SignalClaim> claims) {}
