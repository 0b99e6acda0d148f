package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreErrorContract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

class PostgresErrorTest extends StoreErrorContract {
    @Override
    protected List<String> points() {
        return Stream.of(AppendProbe.Point.values()).map(Enum::name).toList();
    }

    @Override
    protected Future<OpenStore> open(Vertx vertx, Consumer<String> probe) {
        return PostgresEventStore.open(
                vertx,
                TestDatabase.fresh().options(),
                new PgFormat(PgFormat.STEPS, Optional.empty()),
                Optional.empty(),
                point -> probe.accept(point.name()));
    }
}
