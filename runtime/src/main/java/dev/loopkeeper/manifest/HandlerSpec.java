package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * An agent that is Java: exactly one of the two is present.
 *
 * @param name under which the embedding program registered it
 * @param address of the event bus, where it receives requests
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record HandlerSpec(Optional<String> name, Optional<String> address) {
    /** A registered handler. */
    public static HandlerSpec named(String name) {
        return new HandlerSpec(Optional.of(name), Optional.empty());
    }

    /** A handler on the event bus. */
    public static HandlerSpec at(String address) {
        return new HandlerSpec(Optional.empty(), Optional.of(address));
    }

    /** Stands where a process has its command, e.g. {@code [handler, review]}. */
    @JsonIgnore
    public CommandLine words() {
        return CommandLine.ofWords(List.of("handler", name.or(() -> address).orElseThrow()));
    }
}
