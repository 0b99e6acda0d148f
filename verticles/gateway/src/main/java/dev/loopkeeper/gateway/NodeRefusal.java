package dev.loopkeeper.gateway;

/** A refusal by another node, without a stack trace. */
final class NodeRefusal extends RuntimeException {
    private final int code;

    /** @param code of the failure there, see {@link dev.loopkeeper.contract.CodedFailure} */
    NodeRefusal(int code, String why) {
        super(why, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
