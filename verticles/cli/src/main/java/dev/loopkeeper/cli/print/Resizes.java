package dev.loopkeeper.cli.print;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears that a terminal was resized, by the signal {@code WINCH}. As no public API of Java hears signals this uses
 * {@code sun.misc.Signal} of the module {@code jdk.unsupported}, by reflection since javac warns of it; where that is
 * missing nothing is heard.
 */
final class Resizes {
    private static final Logger LOG = LoggerFactory.getLogger(Resizes.class);

    private Resizes() {}

    static void hear(Runnable resized) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method handle = type.getMethod("handle", type, handlerType);
            Object signal = type.getConstructor(String.class).newInstance("WINCH");
            InvocationHandler relay = (self, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    resized.run();
                    yield null;
                }
                case "equals" -> self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "hears " + signal;
            };
            Object handler = Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[] {handlerType}, relay);
            Object before = handle.invoke(null, signal, handler);
            LOG.trace("{} was heard by {}", signal, before);
        } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException none) {
            LOG.debug("nobody tells when the terminal is resized", none);
        }
    }
}
