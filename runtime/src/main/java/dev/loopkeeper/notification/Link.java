package dev.loopkeeper.notification;

/**
 * Where a message leads.
 *
 * @param label for people, e.g. {@code Answer}
 */
public record Link(String label, String url) {}
