package dev.loopkeeper.contract.run;

/**
 * Answer of another node, or the lack of one.
 *
 * @param code of a refusal; 0 otherwise
 * @param body JSON of the answer, or the reason of a refusal; empty if silent
 */
public record NodeReply(Outcome outcome, int code, String body) {
    /** Kind of reply. */
    public enum Outcome {
        /** The node answered. */
        ANSWERED,
        /** The node refused the request. */
        REFUSED,
        /** The node did not answer; the request may have taken effect. */
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
