package dev.loopkeeper.contract.run;

/**
 * Request to another node, which passes it to its own {@code channel}. Used only for requests whose answer may be lost.
 *
 * @param channel address of a channel that nodes serve to each other
 * @param body JSON of the request
 * @param patienceMillis time after which the caller no longer waits
 */
public record AskNode(String node, String channel, String body, long patienceMillis) {}
