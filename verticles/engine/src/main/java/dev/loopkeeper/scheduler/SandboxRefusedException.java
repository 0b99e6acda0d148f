package dev.loopkeeper.scheduler;

/** A command that the machine cannot confine; the message says what to fix. */
final class SandboxRefusedException extends RuntimeException {
    SandboxRefusedException(String message) {
        super(message);
    }
}
