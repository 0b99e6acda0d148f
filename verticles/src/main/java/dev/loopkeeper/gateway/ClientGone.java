package dev.loopkeeper.gateway;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that has left before it was answered: nothing can be done, nobody needs to know. */
final class ClientGone {
    private static final Logger LOG = LoggerFactory.getLogger(ClientGone.class);

    private ClientGone() {}

    static void note(Throwable cause) {
        LOG.debug("a client has left", cause);
    }
}
