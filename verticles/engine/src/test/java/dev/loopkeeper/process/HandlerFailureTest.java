package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.HandlerSpec;
import dev.loopkeeper.step.ErrorCategory;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandlerFailureTest {
    @Test
    void aLongMessageIsCutInTheLogAndInTheError() {
        HandlerFailure failure = new HandlerFailure(new IllegalStateException("x".repeat(1 << 20)));

        assertThat(failure.text()).hasSizeLessThan(70_000);
        assertThat(failure.error(HandlerSpec.named("dev"), cause -> Optional.of(ErrorCategory.PROVIDER)))
                .hasValueSatisfying(error -> assertThat(error.message()).hasSize(4096));
    }

    @Test
    void aClassifierThatFailsLeavesTheTextToDecide() {
        HandlerFailure failure = new HandlerFailure(new AssertionError("503 overloaded"));

        assertThat(failure.error(HandlerSpec.named("dev"), cause -> null)).isEmpty();
        assertThat(failure.error(HandlerSpec.named("dev"), cause -> {
                    throw new NoClassDefFoundError("a.Model");
                }))
                .isEmpty();
    }
}
