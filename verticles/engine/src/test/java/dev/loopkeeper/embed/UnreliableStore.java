package dev.loopkeeper.embed;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A sound store that cannot be reached now and then, or whose answers are lost. */
final class UnreliableStore {
    /** What a scheduler requests for a run that continues. */
    private static final Set<String> COUNTED = Set.of("append", "load");

    private volatile Optional<RuntimeException> failure = Optional.empty();
    /** The append with an event of this type is executed, but not answered; then the store is unavailable. */
    private volatile Optional<String> lost = Optional.empty();

    /** The append with an event of this type is not begun before it is released. */
    private volatile Optional<String> held = Optional.empty();

    private final Promise<Runnable> holding = Promise.promise();

    private final AtomicInteger refused = new AtomicInteger();
    private final List<String> lostAppends = new CopyOnWriteArrayList<>();

    /** Opens what it is. */
    StoreOpener over(StoreOpener sound) {
        return (vertx, folder) -> sound.open(vertx, folder).map(this::around);
    }

    private OpenStore around(OpenStore sound) {
        return (OpenStore) Proxy.newProxyInstance(
                OpenStore.class.getClassLoader(),
                new Class<?>[] {OpenStore.class},
                (proxy, method, arguments) -> ask(sound, method, arguments));
    }

    private Object ask(OpenStore sound, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close") || !method.getReturnType().equals(Future.class)) {
            return call(sound, method, arguments);
        }
        if (failure.isPresent()) {
            if (COUNTED.contains(method.getName())) {
                refused.incrementAndGet();
            }
            return Future.failedFuture(failure.get());
        }
        if (isOf(held, method, arguments)) {
            held = Optional.empty();
            return held(() -> sound.append((AppendEvents) arguments[0]));
        }
        Future<?> answer = (Future<?>) call(sound, method, arguments);
        if (isOf(lost, method, arguments)) {
            lostAppends.add(lost.orElseThrow());
            lost = Optional.empty();
            away();
            return answer.transform(durable -> Future.failedFuture(unavailable()));
        }
        return answer;
    }

    private Future<Appended> held(Supplier<Future<Appended>> append) {
        Context caller = Vertx.currentContext();
        Promise<Void> go = Promise.promise();
        holding.complete(() -> caller.runOnContext(now -> go.complete()));
        return go.future().compose(now -> append.get());
    }

    private static boolean isOf(Optional<String> wanted, Method method, Object[] arguments) {
        return method.getName().equals("append")
                && wanted.filter(type -> ((AppendEvents) arguments[0])
                                .events().stream().map(StoredEvent::type).anyMatch(type::equals))
                        .isPresent();
    }

    private static Object call(OpenStore sound, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(sound, arguments);
        } catch (InvocationTargetException broken) {
            throw broken.getCause();
        }
    }

    private static StoreUnavailableException unavailable() {
        return new StoreUnavailableException("no connection to the database", null);
    }

    void away() {
        failure = Optional.of(unavailable());
    }

    void full() {
        failure = Optional.of(new StoreException("no space left on the disk", null));
    }

    void back() {
        failure = Optional.empty();
    }

    /** Completes when it is requested such an append, with what lets it go. */
    Future<Runnable> holds(String type) {
        held = Optional.of(type);
        return holding.future();
    }

    void losesTheAnswerTo(String type) {
        lost = Optional.of(type);
    }

    /** Whether such an answer was lost by now. */
    boolean hasLost(String type) {
        return lostAppends.contains(type);
    }

    /** How often it has refused an append or the load of a run. */
    int refused() {
        return refused.get();
    }
}
