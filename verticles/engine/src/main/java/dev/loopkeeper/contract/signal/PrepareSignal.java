package dev.loopkeeper.contract.signal;

/**
 * Command, before a launch: create the signal file's folder and move an old file aside. Does nothing once the step was
 * launched, so that repeating it after a crash never removes a signal. Fails if the path is outside the workspace, also
 * through a symbolic link, or is a folder.
 */
public record PrepareSignal(SignalPlace place) {}
