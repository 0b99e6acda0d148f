package dev.loopkeeper.contract.run;

/**
 * Answer of another node, or that there is none.
 *
 * @param code of what it refused; 0 otherwise
 * @param body JSON of the answer, or why it refused; empty where it is silent
 */
public record NodeReply(Outcome outcome, int code, String body) {
    /** How it ended. */
    public enum Outcome {
        /** With an answer. */
        ANSWERED,
        /** The node said no. */
        REFUSED,
        /** Nobody knows what the node did, if anything. */
        SILENT
    }

    public static NodeReply answered(String body) {
        return new NodeReply(Outcome.ANSWERED, 0, body);
    }

    public static NodeReply refused(int code, String why) {
        return new NodeReply(Outcome.REFUSED, code, why);
    }

    public static NodeReply silent() {
        return new NodeReply(Outcome.SILENT, 0, "");
    }
}
