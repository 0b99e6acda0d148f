package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Sha256Test {
    /** FIPS 180-2, appendix B.1. */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void isTheOneOfTheStandard() {
        assertThat(Sha256.hex("abc")).isEqualTo(ABC);
        assertThat(Sha256.hex("abc".getBytes(StandardCharsets.UTF_8))).isEqualTo(ABC);
        assertThat(Sha256.of("abc")).hasSize(32).startsWith(0xba, 0x78);
    }

    @Test
    void readsTextsAsUtf8() {
        assertThat(Sha256.hex("ü")).isEqualTo(Sha256.hex(new byte[] {(byte) 0xc3, (byte) 0xbc}));
    }
}
