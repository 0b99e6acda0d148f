package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link Settle}.
 *
 * @param over whether nothing goes on, and no more work is taken
 * @param going the runs that go on by themselves, by id, sorted; may be empty though it is not over, while one begins
 */
public record Settled(boolean over, List<String> going) {}
