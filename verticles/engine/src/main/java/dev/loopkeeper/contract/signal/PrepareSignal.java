package dev.loopkeeper.contract.signal;

/**
 * Command, before a launch: make the file's folder and move a leftover aside. Does nothing once the step was launched,
 * so that repeating it after a crash never takes a signal away. Fails when the place cannot hold a signal: outside the
 * workspace, also through a symbolic link, or a folder.
 */
public record PrepareSignal(SignalPlace place) {}
