package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines how Loopkeeper keeps the processes of a step together. */
public enum Containment implements WireName {
    /** A separate session and process group, and the nonce in the environment. */
    SESSION,
    /** A separate PID namespace, which no process can leave. */
    NAMESPACE;
}
