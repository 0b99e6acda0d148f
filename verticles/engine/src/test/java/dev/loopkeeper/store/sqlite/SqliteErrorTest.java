package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreErrorContract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

class SqliteErrorTest extends StoreErrorContract {
    @TempDir
    private Path folder;

    @Override
    protected List<String> points() {
        return Stream.of(StoreProbe.Point.values()).map(Enum::name).toList();
    }

    @Override
    protected Future<OpenStore> open(Vertx vertx, Consumer<String> probe) {
        StoreProbe breaking = new StoreProbe() {
            @Override
            public void before(Point point) {
                probe.accept(point.name());
            }
        };
        return SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS, breaking);
    }
}
