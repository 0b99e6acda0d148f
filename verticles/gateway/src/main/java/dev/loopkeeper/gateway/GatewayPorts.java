package dev.loopkeeper.gateway;

import dev.loopkeeper.store.EventStore;
import java.util.function.BooleanSupplier;

/**
 * What the gateway needs beside the event bus.
 *
 * @param store read for history, replay and snapshots; never written
 * @param draining whether new work is refused because the process is about to end
 */
public record GatewayPorts(EventStore store, ManifestIntake intake, BooleanSupplier draining) {}
