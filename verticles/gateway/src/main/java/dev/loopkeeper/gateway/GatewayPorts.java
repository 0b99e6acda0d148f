package dev.loopkeeper.gateway;

import dev.loopkeeper.store.EventStore;
import java.util.function.BooleanSupplier;

/**
 * The ports that the gateway requires in addition to the event bus.
 *
 * @param store read for history, replay and snapshots; never written
 * @param draining whether new work is refused because the process is stopping
 * @param maxRuns number of run slots; 0 = no limit
 */
public record GatewayPorts(EventStore store, ManifestIntake intake, BooleanSupplier draining, int maxRuns) {}
