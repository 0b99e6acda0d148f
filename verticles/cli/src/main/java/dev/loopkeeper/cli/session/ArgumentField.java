package dev.loopkeeper.cli.session;

import java.util.function.Consumer;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;

/** Hands the value of an argument on to the field of a command, and keeps it for those who tell what is in force. */
final class ArgumentField<T> implements IGetter, ISetter {
    private final Consumer<T> field;
    private Object value;

    ArgumentField(Consumer<T> field, T value) {
        this.field = field;
        this.value = value;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as picocli declares it
    public <V> V get() {
        return (V) value;
    }

    @Override
    @SuppressWarnings("unchecked") // of the type that the argument was defined with
    public <V> V set(V given) {
        V before = get();
        value = given;
        field.accept((T) given);
        return before;
    }
}
