package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.EndReason;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Spending;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Caps over the whole run: exceeded when what is spent is at or above them. */
final class BudgetRules {
    private static final String UNTOLD = "budget-untold";
    private static final String COST = "costUsd";
    private static final String TOKENS = "tokens";
    private static final String TURNS = "turns";

    private BudgetRules() {}

    /** A cap, and what was spent of it. */
    private record Part(String name, double used, double limit) {
        boolean exceeded() {
            return used >= limit;
        }

        String text() {
            return String.format(Locale.ROOT, "%s: %s used, the limit is %s", name, shown(used), shown(limit));
        }

        private String shown(double number) {
            if (name.equals(COST)) {
                return Amounts.dollars(number);
            }
            return number == Math.rint(number) && Math.abs(number) < 1e15
                    ? String.valueOf((long) number)
                    : String.valueOf(number);
        }
    }

    /** Why this budget is used up by what the run has spent; empty when it is not. */
    static Optional<EndReason> cause(RunState state, Budget budget) {
        return parts(state.spending(), budget).stream()
                .filter(Part::exceeded)
                .findFirst()
                .map(part -> EndReason.of(StandardReason.BUDGET_EXCEEDED, "budget exceeded, " + part.text())
                        .askedBy(StopCause.BUDGET));
    }

    /**
     * The caps in force as fields of a resume, each with the least cap above what is spent; money in whole cents.
     *
     * @param exceeded only those that are reached
     */
    static List<ResumeField> fields(RunState state, boolean exceeded) {
        return parts(state.spending(), state.limits().budget()).stream()
                .filter(part -> !exceeded || part.exceeded())
                .map(BudgetRules::field)
                .toList();
    }

    private static ResumeField field(Part part) {
        boolean money = part.name().equals(COST);
        double next = money ? (Math.floor(part.used() * 100) + 1) / 100 : part.used() + 1;
        ResumeField field = ResumeField.of(
                "budget." + part.name(),
                money ? ResumeField.Type.NUMBER : ResumeField.Type.INTEGER,
                "a cap above what is spent, " + part.text());
        return money
                ? field.atLeast(next).now(part.limit())
                : field.atLeast((long) next).now((long) part.limit());
    }

    /** Notes each warning that is due and was not given yet. */
    static void warn(DecisionBuilder builder) {
        Budget budget = builder.state().limits().budget();
        Spending spent = builder.state().spending();
        for (Part part : parts(spent, budget)) {
            if (part.used() >= part.limit() * budget.warnAt() && !warned(builder, part.name())) {
                builder.emit(new BudgetWarning(part.name(), part.used(), part.limit(), part.text()));
            }
        }
    }

    /** Whether this ended step had a cost that nobody told. A script has none, nor has what was never launched. */
    static boolean costUnknown(RunState state, StepJudgement ended) {
        Usage used = ended.usage();
        boolean agent = dialect(state, ended.step().agent()) != OutputDialect.TEXT;
        boolean launched = ended.outcome().exit().cause() != ExitCause.LAUNCH_FAILED;
        return Spending.hidesCost(used) || (agent && launched && used.costUsd().isEmpty());
    }

    /** Most tell their cost at their end, so only of those that never do there is something to say while they run. */
    static void warnOfUntoldCost(DecisionBuilder builder, OpenStep step) {
        boolean never = !dialect(builder.state(), step.agent()).mayReportCost();
        if (never && Spending.hidesCost(step.usage())) {
            warnOfUntold(builder, step.agent(), step.usage(), Set.of(COST));
        }
    }

    /** A cap is blind to an agent that does not tell what it uses: said once for each, as soon as that is sure. */
    static void warnOfUntold(DecisionBuilder builder, StepJudgement ended) {
        Usage used = ended.usage();
        boolean silent = used.equals(Usage.UNKNOWN) && ended.failed(); // it may have had nothing to tell yet
        boolean script = dialect(builder.state(), ended.step().agent()) == OutputDialect.TEXT;
        boolean mayBeSilent = script
                && !Spending.hidesCost(used)
                && !nobodyTells(builder.state().plan().manifest(), ended.step());
        if (!silent && !mayBeSilent) {
            warnOfUntold(builder, ended.step().agent(), used, Set.of(COST, TOKENS, TURNS));
        }
    }

    private static void warnOfUntold(DecisionBuilder builder, String agent, Usage used, Set<String> units) {
        Budget budget = builder.state().limits().budget();
        boolean tokens = used.inputTokens().isPresent() || used.outputTokens().isPresent();
        if (units.contains(COST)
                && budget.costUsd().isPresent()
                && used.costUsd().isEmpty()) {
            String holds =
                    budget.tokens().isPresent() && tokens ? "the cap on tokens holds" : "and there is no cap on tokens";
            say(
                    builder,
                    COST,
                    agent,
                    "does not tell what it costs: the cap on costUsd sees only known costs, " + holds);
        }
        if (units.contains(TOKENS) && budget.tokens().isPresent() && !tokens) {
            say(builder, TOKENS, agent, "does not tell its tokens: the cap on tokens counts nothing of it");
        }
        if (units.contains(TURNS) && budget.turns().isPresent() && used.turns().isEmpty()) {
            say(builder, TURNS, agent, "does not tell its turns: the cap on turns counts nothing of it");
        }
    }

    private static void say(DecisionBuilder builder, String unit, String agent, String what) {
        String about = UNTOLD + ":" + unit + ":" + agent;
        if (!warned(builder, about)) {
            builder.emit(Notice.once(UNTOLD, about, agent + " " + what));
        }
    }

    private static OutputDialect dialect(RunState state, String agent) {
        return state.plan().manifest().agent(agent).map(AgentSpec::output).orElse(OutputDialect.TEXT);
    }

    /** A script beside agents that tell what they use may well use nothing; where all are scripts, signals would tell. */
    private static boolean nobodyTells(Manifest manifest, OpenStep ended) {
        boolean onlyText = manifest.agents().values().stream().allMatch(agent -> agent.output() == OutputDialect.TEXT);
        boolean signals = manifest.agents().values().stream()
                .anyMatch(agent -> agent.signal().isPresent());
        boolean mightHave =
                manifest.agent(ended.agent()).flatMap(AgentSpec::signal).isPresent();
        return onlyText && (mightHave || !signals);
    }

    /** Whether this much reaches a cap. */
    static boolean exceeds(Spending spent, Budget budget) {
        return parts(spent, budget).stream().anyMatch(Part::exceeded);
    }

    private static boolean warned(DecisionBuilder builder, String part) {
        return builder.state().ledger().warned().contains(part);
    }

    private static List<Part> parts(Spending spent, Budget budget) {
        List<Part> parts = new ArrayList<>();
        budget.costUsd()
                .ifPresent(cap -> parts.add(new Part(COST, spent.costUsd().doubleValue(), cap)));
        budget.tokens()
                .ifPresent(cap -> parts.add(new Part(TOKENS, spent.tokens().orElse(0), cap)));
        budget.turns().ifPresent(cap -> parts.add(new Part(TURNS, spent.turns().orElse(0), cap)));
        return parts;
    }
}
