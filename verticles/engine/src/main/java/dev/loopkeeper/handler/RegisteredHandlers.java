package dev.loopkeeper.handler;

import dev.loopkeeper.step.ErrorCategory;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The handlers of the Loopkeeper in one {@link Vertx}.
 *
 * @param byName handlers by the names that manifests use
 * @param errors returns the category of an exception; empty: its text decides
 */
public record RegisteredHandlers(Map<String, StepHandler> byName, Function<Throwable, Optional<ErrorCategory>> errors)
        implements Shareable {
    /** None, so that every named handler is unknown. */
    public static final RegisteredHandlers NONE = new RegisteredHandlers(Map.of(), failure -> Optional.empty());

    private static final String NAME = "loopkeeper.handlers";

    public RegisteredHandlers {
        byName = Map.copyOf(byName);
    }

    /** Adds a handler, or replaces the one of that name. */
    public RegisteredHandlers with(String name, StepHandler handler) {
        Map<String, StepHandler> more = new HashMap<>(byName);
        more.put(name, handler);
        return new RegisteredHandlers(more, errors);
    }

    /** Makes these the handlers of this Vert.x. */
    public void use(Vertx vertx) {
        map(vertx).put(NAME, this);
    }

    /** Returns the handlers of this Vert.x. */
    public static RegisteredHandlers in(Vertx vertx) {
        return map(vertx).getOrDefault(NAME, NONE);
    }

    private static LocalMap<String, RegisteredHandlers> map(Vertx vertx) {
        return vertx.sharedData().getLocalMap(NAME);
    }
}
