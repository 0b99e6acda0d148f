package dev.loopkeeper.contract.run;

/**
 * Question to another node, which it passes on to its own {@code channel}; only what is safe where the answer is lost is
 * asked in this way.
 *
 * @param channel address of one of those that nodes answer for each other
 * @param body JSON of the question
 * @param patienceMillis after which nobody waits any more
 */
public record AskNode(String node, String channel, String body, long patienceMillis) {}
