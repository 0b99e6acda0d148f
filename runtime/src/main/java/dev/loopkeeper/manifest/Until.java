package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.Optional;

/** Defines what completes a loop. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Until.Signal.class, name = "signal"),
    @JsonSubTypes.Type(value = Until.Iterations.class, name = "iterations"),
    @JsonSubTypes.Type(value = Until.Output.class, name = "output"),
    @JsonSubTypes.Type(value = Until.Command.class, name = "command")
})
public sealed interface Until {
    /** Written {@code signal}: a step's determination SUCCESS or verdict approved. */
    record Signal() implements Until {}

    /** Written {@code iterations}: the loop is complete after its last iteration. */
    record Iterations() implements Until {}

    /** Written {@code {output: TEXT}}: a step of the iteration printed this text. */
    record Output(String text) implements Until {}

    /**
     * Written {@code {command: [...]}}: this command, run after each iteration, exits with 0.
     *
     * @param timeout time limit of the command; exceeding it means that the loop continues
     * @param idleTimeout limit without output or changes; absent: none
     * @param first whether it also runs before the first iteration; default true
     */
    record Command(CommandLine command, Duration timeout, Optional<Duration> idleTimeout, boolean first)
            implements Until {
        public static final Duration TIMEOUT = Duration.ofMinutes(30);
    }
}
