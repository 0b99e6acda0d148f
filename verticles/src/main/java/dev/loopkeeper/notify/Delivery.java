package dev.loopkeeper.notify;

/**
 * One event that is owed to one receiver. The event itself stays in the store.
 *
 * @param notification index in the manifest's {@code notify}
 * @param tries how many failed already
 */
record Delivery(String runId, long sequence, int notification, int tries) {
    /** The same, whatever has been tried. */
    record Key(String runId, long sequence, int notification) {}

    Key key() {
        return new Key(runId, sequence, notification);
    }

    /** What the receiver knows it by, e.g. {@code fix-flaky-tests-20261120-151233-x7k2:41}. */
    String id() {
        return runId + ":" + sequence;
    }

    Delivery triedAgain() {
        return new Delivery(runId, sequence, notification, tries + 1);
    }
}
