package dev.loopkeeper.cli.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles every signal that asks this process to end. A shutdown hook reacts to the first signal only, and Java has no
 * public API for later ones. So this class uses {@code sun.misc.Signal} of the module {@code jdk.unsupported}, by
 * reflection: javac warns of the class, and no option disables that warning. Without that class the JVM handles signals
 * by default. A signal that was ignored when the process began stays ignored.
 */
public final class EndSignals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndSignals.class);
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

    private final AtomicInteger received = new AtomicInteger();
    private final Deque<Runnable> restorations = new ArrayDeque<>();
    private final Runnable first;
    private final Runnable again;

    private EndSignals(Runnable first, Runnable again) {
        this.first = first;
        this.again = again;
    }

    /**
     * Installs the signal handlers.
     *
     * @param first runs at the first signal; afterwards the JVM begins to shut down as usual
     * @param again runs at each later signal, but not while {@code first} is running
     */
    public static EndSignals install(Runnable first, Runnable again) {
        EndSignals signals = new EndSignals(first, again);
        for (String name : NAMES) {
            try {
                signals.handle(name);
            } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException none) {
                LOG.debug("a second {} cannot be handled", name, none);
            }
        }
        return signals;
    }

    private void handle(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Method handle = type.getMethod("handle", type, handlerType);
        Object signal = type.getConstructor(String.class).newInstance(name);
        Relay relay = new Relay(handlerType.getMethod("handle", type), signal);
        Object handler = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {handlerType}, relay);
        relay.usual = handle.invoke(null, signal, handler);
        restorations.push(() -> restore(handle, signal, relay.usual));
    }

    private static void restore(Method handle, Object signal, Object usual) {
        try {
            Object own = handle.invoke(null, signal, usual);
            LOG.trace("removed {}", own);
        } catch (ReflectiveOperationException | IllegalArgumentException gone) {
            LOG.debug("{} keeps its handler", signal, gone);
        }
    }

    /** The handler that the JVM calls, on a new thread for each signal. */
    private final class Relay implements InvocationHandler {
        private final Method handling;
        private final Object signal;
        private volatile Object usual;

        Relay(Method handling, Object signal) {
            this.handling = handling;
            this.signal = signal;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws ReflectiveOperationException {
            return switch (method.getName()) {
                case "handle" -> {
                    relay();
                    yield null;
                }
                case "equals" -> self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "handler of " + signal;
            };
        }

        private void relay() throws ReflectiveOperationException {
            if (received.incrementAndGet() > 1) {
                again.run();
                return;
            }
            try {
                first.run();
            } finally {
                // The JVM's own handler runs the shutdown hooks and exits with the code of the signal. It does not
                // return.
                handling.invoke(usual, signal);
            }
        }
    }

    /** Restores the previous signal handlers. */
    @Override
    public void close() {
        while (!restorations.isEmpty()) {
            restorations.pop().run();
        }
    }
}
