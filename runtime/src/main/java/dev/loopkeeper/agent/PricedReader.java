package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Price;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Estimates the cost of a step whose agent reports tokens and a model but no cost. While the agent runs, only if it
 * never reports a cost.
 */
record PricedReader(AgentOutputReader reader, ProgramSpec program, Supplier<Policy> policy)
        implements AgentOutputReader {
    @Override
    public void stdout(byte[] chunk, int offset, int length) {
        reader.stdout(chunk, offset, length);
    }

    @Override
    public void stderr(byte[] chunk, int offset, int length) {
        reader.stderr(chunk, offset, length);
    }

    @Override
    public Usage usageSoFar() {
        Usage usage = reader.usageSoFar();
        return program.output().mayReportCost() ? usage : priced(usage);
    }

    @Override
    public List<ModelTokens> tokens() {
        return reader.tokens();
    }

    @Override
    public boolean hasSucceeded() {
        return reader.hasSucceeded();
    }

    @Override
    public OwnRetries retries() {
        return reader.retries();
    }

    @Override
    public List<AgentNotice> notices() {
        return reader.notices();
    }

    /** Totals of a session have the same tokens as the usage, so the increase of the cost is that of the launch. */
    @Override
    public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
        AgentReport report = reader.finish(exit, now, zone);
        Usage totals = report.sessionTotals();
        return new AgentReport(
                report.summary().withUsage(priced(report.summary().usage())),
                report.finalRecord(),
                report.sessionId(),
                totals.tokens().isPresent() ? priced(totals) : totals,
                report.worked());
    }

    /** A reported cost stays, even 0; without a price for each model the cost stays unknown. */
    private Usage priced(Usage usage) {
        List<ModelTokens> tokens = reader.tokens();
        if (usage.costUsd().isPresent() || tokens.isEmpty()) {
            return usage;
        }
        Policy current = policy.get();
        BigDecimal sum = BigDecimal.ZERO;
        for (ModelTokens of : tokens) {
            Optional<Price> price =
                    of.model().or(() -> CommandModel.of(program.command())).flatMap(current::priceOf);
            if (price.isEmpty()) {
                return usage;
            }
            sum = sum.add(price.get().of(of.input(), of.cached(), of.cacheWritten(), of.output()));
        }
        return usage.estimatedAt(OptionalDouble.of(sum.doubleValue()));
    }
}
