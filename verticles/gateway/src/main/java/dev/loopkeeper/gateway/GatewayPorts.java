package dev.loopkeeper.gateway;

import dev.loopkeeper.store.EventStore;
import java.util.function.BooleanSupplier;

/**
 * What the gateway needs beside the event bus.
 *
 * @param store read for history, replay and snapshots; never written
 * @param draining whether new work is refused because the process is about to end
 * @param maxRuns how many runs may be under way at once; 0 = no limit
 */
public record GatewayPorts(EventStore store, ManifestIntake intake, BooleanSupplier draining, int maxRuns) {
    /** Without a limit on runs. */
    public GatewayPorts(EventStore store, ManifestIntake intake, BooleanSupplier draining) {
        this(store, intake, draining, 0);
    }
}
