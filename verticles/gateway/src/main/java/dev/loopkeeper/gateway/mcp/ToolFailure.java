package dev.loopkeeper.gateway.mcp;

/** An expected failure of a tool. Its message says what to do; it has no stack trace. */
public final class ToolFailure extends RuntimeException {
    public ToolFailure(String message) {
        super(message, null, false, false);
    }
}
