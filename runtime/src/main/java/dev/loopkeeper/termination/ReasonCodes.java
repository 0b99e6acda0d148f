package dev.loopkeeper.termination;

import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ReasonSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The reason codes with which an agent or a client may end a run: those of the manifest, then the built-in ones. */
public record ReasonCodes(Manifest manifest) {
    /** Empty for an unknown code. A success has no code. */
    public Optional<TerminationReason> find(String code) {
        return declared(code).<TerminationReason>map(ConsumerReason::of).or(() -> StandardReason.ofCode(code));
    }

    /** The manifest's own reason with this code. */
    public Optional<ReasonSpec> declared(String code) {
        return manifest.reasons().stream()
                .filter(reason -> reason.code().equals(code))
                .findFirst();
    }

    /** Every code, the manifest's first. */
    public List<String> all() {
        return Stream.concat(
                        manifest.reasons().stream().map(ReasonSpec::code),
                        Arrays.stream(StandardReason.values()).flatMap(reason -> reason.reasonCode().stream()))
                .distinct()
                .toList();
    }
}
