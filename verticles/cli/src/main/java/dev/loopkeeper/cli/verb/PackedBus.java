package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.data.DataFolder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The event bus of a node of this program. Its libraries have as many files as all others together, whose names each
 * command would read as it starts, so they lie in the program's jar as a jar of their own. It is unpacked into the data
 * folder by who asks for the bus. Where the program is no jar they lie on its class path.
 */
final class PackedBus implements Callable<Future<Vertx>> {
    private static final String JAR = "bus.jar";
    private static final String JOINS = "dev.loopkeeper.cluster.HazelcastBus";

    private final BusOptions options;
    private final Path folder;
    private final Supplier<InputStream> jar;

    /** Kept, so that each further try to join uses the same classes. */
    private ClassLoader loader;

    private Callable<?> bus;

    /** @param dataFolder of this node, which owns it by then */
    PackedBus(BusOptions options, Path dataFolder) {
        this(options, dataFolder, () -> PackedBus.class.getResourceAsStream(JAR));
    }

    /** @param jar gives null where the libraries are not packed */
    PackedBus(BusOptions options, Path dataFolder, Supplier<InputStream> jar) {
        this.options = options;
        this.folder = dataFolder.resolve(DataFolder.NATIVE);
        this.jar = jar;
    }

    /** As a node's source of its bus: blocks, and is called again where it failed. */
    @Override
    public synchronized Future<Vertx> call() throws Exception {
        if (loader == null) {
            loader = libraries();
        }
        if (bus == null) {
            bus = Class.forName(JOINS, true, loader)
                    .asSubclass(Callable.class)
                    .getConstructor(BusOptions.class)
                    .newInstance(options);
        }
        Thread joining = Thread.currentThread();
        ClassLoader before = joining.getContextClassLoader();
        joining.setContextClassLoader(loader);
        try {
            return ((Future<?>) bus.call()).map(Vertx.class::cast);
        } finally {
            joining.setContextClassLoader(before);
        }
    }

    /** Fails where they cannot be unpacked, in words that name the folder and the remedy. */
    ClassLoader libraries() throws IOException {
        try (InputStream packed = jar.get()) {
            ClassLoader own = PackedBus.class.getClassLoader();
            if (packed == null) {
                return own;
            }
            Path unpacked = Files.createDirectories(folder).resolve(JAR);
            // Removed and made anew: who ended last may still read the former one.
            Files.copy(packed, unpacked, StandardCopyOption.REPLACE_EXISTING);
            return new URLClassLoader("bus", new URL[] {unpacked.toUri().toURL()}, own);
        } catch (IOException refused) {
            throw new IOException(
                    "the event bus cannot be unpacked into " + folder
                            + "; see that there is room, and that it is a folder in which this user may write",
                    refused);
        }
    }
}
