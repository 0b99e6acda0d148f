package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Creates numbers and booleans whose {@link JsonNode#asText} returns the original text: 7e12345 may be a hash and 1.10
 * a version.
 */
public final class WrittenScalar {
    private WrittenScalar() {}

    /** Reads the number or boolean at the parser's position. */
    public static JsonNode of(JsonParser parser) throws IOException {
        String text = parser.getText();
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            BigDecimal number = parser.getDecimalValue();
            return number.toString().equals(text) ? DecimalNode.valueOf(number) : new Fraction(number, text);
        }
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return whole(parser, text);
        }
        boolean flag = parser.getBooleanValue();
        return Boolean.toString(flag).equals(text) ? BooleanNode.valueOf(flag) : new Flag(flag, text);
    }

    private static JsonNode whole(JsonParser parser, String text) throws IOException {
        BigInteger number = parser.getBigIntegerValue();
        if (!number.toString().equals(text)) {
            return new Whole(number, text);
        }
        return switch (parser.getNumberType()) {
            case INT -> IntNode.valueOf(number.intValue());
            case LONG -> LongNode.valueOf(number.longValue());
            default -> BigIntegerNode.valueOf(number);
        };
    }

    private static final class Whole extends BigIntegerNode {
        private final String text;

        Whole(BigInteger number, String text) {
            super(number);
            this.text = text;
        }

        @Override
        public String asText() {
            return text;
        }
    }

    private static final class Fraction extends DecimalNode {
        private final String text;

        Fraction(BigDecimal number, String text) {
            super(number);
            this.text = text;
        }

        @Override
        public String asText() {
            return text;
        }
    }

    /** Keeps YAML spellings such as True and TRUE. */
    private static final class Flag extends BooleanNode {
        private final String text;

        Flag(boolean flag, String text) {
            super(flag);
            this.text = text;
        }

        @Override
        public String asText() {
            return text;
        }
    }
}
