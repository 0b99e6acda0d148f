package dev.loopkeeper.view;

import dev.loopkeeper.policy.Cap;
import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.step.Amounts;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The caps of the policy, in its order, with what their runs have used. */
public record Caps(List<Entry> caps) {
    public Caps {
        caps = List.copyOf(caps);
    }

    /**
     * A cap in its present window.
     *
     * @param unknownSteps steps that ended with an unreported cost
     * @param waitingRuns runs that wait for this cap
     */
    public record Entry(
            String name,
            Window per,
            Instant windowStart,
            Instant windowEnd,
            Cost costUsd,
            Tokens tokens,
            long unknownSteps,
            long waitingRuns) {
        /** Returns the cap with its use. */
        public static Entry of(CapUse use, long waitingRuns) {
            Cap cap = use.cap();
            return new Entry(
                    cap.name(),
                    cap.per(),
                    use.window().start(),
                    use.window().end(),
                    new Cost(cap.costUsd(), use.costUsd(), use.estimatedUsd()),
                    new Tokens(cap.tokens(), use.tokens()),
                    use.unknownSteps(),
                    waitingRuns);
        }

        /** Returns the used part of the cap, e.g. {@code 0.8}; of cost and tokens the one that is used more. */
        public double share() {
            return CapUse.share(costUsd.limit(), costUsd.spent(), tokens.limit(), tokens.spent());
        }

        /** Returns e.g. {@code $32.10 of $40.00, 120000 of 5000000 tokens}. */
        public String text() {
            List<String> parts = new ArrayList<>();
            costUsd.limit()
                    .ifPresent(limit ->
                            parts.add(Amounts.cost(
                                            costUsd.spent().doubleValue(),
                                            costUsd.estimated().signum() > 0) + " of " + Amounts.dollars(limit)));
            tokens.limit().ifPresent(limit -> parts.add(tokens.spent() + " of " + Amounts.count(limit, "token")));
            return String.join(", ", parts);
        }
    }

    /**
     * US dollars.
     *
     * @param limit absent: the cap limits tokens only
     * @param estimated the part of what is spent that is an estimate
     */
    public record Cost(OptionalDouble limit, BigDecimal spent, BigDecimal estimated) {}

    /**
     * Input and output tokens together.
     *
     * @param limit absent: the cap limits the cost only
     */
    public record Tokens(OptionalLong limit, long spent) {}
}
