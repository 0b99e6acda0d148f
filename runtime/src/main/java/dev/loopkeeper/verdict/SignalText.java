package dev.loopkeeper.verdict;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.JsonSyntaxError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Parses a signal file as one JSON object. */
final class SignalText {
    /** Larger files are refused. */
    static final int MAX_BYTES = 1024 * 1024;

    /** Accepts NaN, which many programs write, so that the field check can report it with its position. */
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Json.MAX_DEPTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The content is not one JSON object; the message says why. */
    static final class MalformedException extends Exception {
        MalformedException(String message) {
            super(message);
        }
    }

    private SignalText() {}

    static boolean isBlank(byte[] content) {
        return content.length <= MAX_BYTES
                && withoutMark(new String(content, StandardCharsets.UTF_8)).isBlank();
    }

    static JsonNode parse(byte[] content) throws MalformedException {
        if (content.length > MAX_BYTES) {
            throw new MalformedException("the file is larger than " + MAX_BYTES + " bytes");
        }
        JsonNode root = tree(decoded(content));
        if (!root.isObject()) {
            throw new MalformedException(
                    "the file must contain one JSON object, but contains " + RefusedValue.of(root));
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(root.toString())) {
            throw new MalformedException("a string contains half of a surrogate pair");
        }
        return root;
    }

    private static String decoded(byte[] content) throws MalformedException {
        try {
            return withoutMark(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString());
        } catch (CharacterCodingException notUtf8) {
            throw new MalformedException("the file is not UTF-8");
        }
    }

    private static JsonNode tree(String text) throws MalformedException {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException broken) {
            String line = broken.getLocation() == null
                    ? ""
                    : "line " + broken.getLocation().getLineNr() + ": ";
            throw new MalformedException(line + JsonSyntaxError.of(broken));
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
