package dev.loopkeeper.process;

import dev.loopkeeper.contract.CodedFailure;
import dev.loopkeeper.work.Shortage;

/** A step that could not be launched; the message tells a person what to fix. */
final class LaunchException extends RuntimeException implements CodedFailure {
    private final boolean ofMachine;

    LaunchException(String message) {
        super(message);
        this.ofMachine = false;
    }

    LaunchException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private LaunchException(String message, Throwable cause, boolean ofMachine) {
        super(message, cause);
        this.ofMachine = ofMachine;
    }

    /** Of a start that the system refused. */
    static LaunchException of(String message, Throwable cause) {
        boolean ofMachine = Shortage.is(message);
        return new LaunchException(ofMachine ? message + Shortage.REMEDY : message, cause, ofMachine);
    }

    /** Whether the machine had too little for it, which says nothing of the agent. */
    boolean isOfMachine() {
        return ofMachine;
    }

    @Override
    public int failureCode() {
        return 422;
    }
}
