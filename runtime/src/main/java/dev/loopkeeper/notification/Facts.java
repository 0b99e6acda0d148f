package dev.loopkeeper.notification;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a message says beside its event.
 *
 * @param name of the run
 * @param costUsd of the run so far; absent where it is not reported
 * @param links first the main one; none where no public URL is configured
 * @param more events of the same kind that this message stands for
 */
public record Facts(String name, OptionalDouble costUsd, List<Link> links, int more) {}
