package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.verdict.SignalFields.InvalidFieldException;
import dev.loopkeeper.verdict.SignalText.MalformedException;
import java.util.Optional;

/**
 * Reads and checks a signal file. Reports the first problem in this order: absent, empty, malformed, stale,
 * schema_invalid. A signal of another attempt is stale whatever else is wrong, since fixing it would not help.
 */
public final class SignalReader {
    /** Larger files are refused. */
    public static final int MAX_BYTES = SignalText.MAX_BYTES;

    private SignalReader() {}

    /** Reads a file of known age; a file older than the launch is stale regardless of its content. */
    public static SignalReading read(Optional<byte[]> content, Optional<SignalAge> age, SignalExpectation expected) {
        if (content.isPresent() && age.filter(SignalAge::stale).isPresent()) {
            String message = "the signal file was last changed at " + age.get().changedAt() + ", before the launch";
            return new SignalReading.Invalid(SignalDetail.STALE, message);
        }
        return read(content, expected);
    }

    /**
     * Reads a file. Never throws.
     *
     * @param content bytes of the file; empty when the file is missing
     */
    public static SignalReading read(Optional<byte[]> content, SignalExpectation expected) {
        if (content.isEmpty()) {
            return new SignalReading.Invalid(SignalDetail.ABSENT, "the step left no signal file");
        }
        if (SignalText.isBlank(content.get())) {
            return new SignalReading.Invalid(SignalDetail.EMPTY, "the signal file has no content");
        }
        try {
            return judge(SignalText.parse(content.get()), expected);
        } catch (MalformedException broken) {
            return new SignalReading.Invalid(SignalDetail.MALFORMED, broken.getMessage());
        } catch (InvalidFieldException invalid) {
            return new SignalReading.Invalid(SignalDetail.SCHEMA_INVALID, invalid.getMessage(), invalid.refusedValue());
        }
    }

    private static SignalReading judge(JsonNode root, SignalExpectation expected) {
        Optional<SignalReading> foreign = foreign(root, expected);
        return foreign.isPresent() ? foreign.get() : new SignalReading.Valid(checked(root));
    }

    private static Signal checked(JsonNode root) {
        SignalFields fields = new SignalFields(root, "");
        fields.requireText("nonce");
        fields.requireCount("attempt");
        fields.requireCount("iteration");
        return SignalSchema.signal(root);
    }

    private static Optional<SignalReading> foreign(JsonNode root, SignalExpectation expected) {
        JsonNode nonce = root.path("nonce");
        if (nonce.isTextual() && !nonce.textValue().equals(expected.nonce())) {
            return Optional.of(stale("nonce " + RefusedValue.of(nonce) + " belongs to another launch", nonce));
        }
        return otherNumber(root, "attempt", expected.attempt())
                .or(() -> otherNumber(root, "iteration", expected.iteration()));
    }

    private static Optional<SignalReading> otherNumber(JsonNode root, String name, Optional<String> expected) {
        JsonNode given = root.path(name);
        return expected.filter(
                        value -> given.isIntegralNumber() && !given.asText().equals(value))
                .map(value -> value.isEmpty() ? "none" : value)
                .map(value -> stale(name + " is " + RefusedValue.of(given) + ", expected " + value, given));
    }

    private static SignalReading stale(String message, JsonNode given) {
        return new SignalReading.Invalid(SignalDetail.STALE, message, Optional.of(RefusedValue.of(given)));
    }
}
