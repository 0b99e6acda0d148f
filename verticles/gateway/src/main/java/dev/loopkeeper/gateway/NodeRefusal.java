package dev.loopkeeper.gateway;

/** What another node refused, without a stack trace: it is an answer. */
final class NodeRefusal extends RuntimeException {
    private final int code;

    /** @param code of the one asked there, see {@link dev.loopkeeper.contract.CodedFailure} */
    NodeRefusal(int code, String why) {
        super(why, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
