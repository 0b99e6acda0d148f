package dev.loopkeeper.gateway.mcp;

import java.time.Duration;

/** The limits of tool calls. */
public final class McpLimits {
    /** How long the server may wait for a run within one call: clients give up after 60 seconds. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(40);

    /** How long a call may take in all. */
    public static final Duration LONGEST_CALL = Duration.ofSeconds(44);

    /** UTF-8 bytes of the text and of the structured content, each. */
    static final int RESULT_BYTES = 20_000;

    private McpLimits() {}
}
