package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link Settle}.
 *
 * @param over whether no run is active and no more work is taken
 * @param going sorted ids of active runs; may be empty although {@code over} is false, while a run begins
 */
public record Settled(boolean over, List<String> going) {}
