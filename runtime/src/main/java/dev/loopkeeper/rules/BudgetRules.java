package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.ResumeNeeds.Need;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.StopCause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Enforces the caps of a run's budget: a cap is exceeded when the usage reaches it. */
final class BudgetRules {
    private static final String UNREPORTED = "budget-unreported";
    private static final String COST = "costUsd";
    private static final String TOKENS = "tokens";
    private static final String TURNS = "turns";
    private static final String TIME = "time";
    private static final Duration ADOPTION = Duration.ofSeconds(5);

    private BudgetRules() {}

    /**
     * A cap and its usage.
     *
     * @param reported whether any usage was reported; if not, {@code used} is a meaningless 0
     */
    private record Part(String name, boolean reported, double used, double cap) {
        boolean exceeded() {
            return used >= cap;
        }

        String text() {
            String usage = reported ? amount() + " used" : unit() + " not reported";
            return usage + ", the " + noun() + " cap is " + shown(cap);
        }

        /** Names a cap that suffices, e.g. {@code a cost cap above the $0.10 used so far}. */
        String sufficient() {
            String used = reported ? "the " + amount() + " used so far" : "the usage, which is not reported";
            return "a " + noun() + " cap above " + used;
        }

        /** Names a cap that suffices and its field, e.g. {@code a cost cap above $2.00 (budget.costUsd)}. */
        String requirement() {
            return "a " + noun() + " cap above " + shown(used) + " (budget." + name + ")";
        }

        private boolean isMoney() {
            return name.equals(COST);
        }

        private String unit() {
            return isMoney() ? "cost" : name;
        }

        /** The unit as the first part of a compound, e.g. {@code token} of {@code token cap}. */
        private String noun() {
            return isMoney() ? "cost" : isTime() ? name : name.substring(0, name.length() - 1);
        }

        private boolean isTime() {
            return name.equals(TIME);
        }

        private String amount() {
            String unit = isTime() ? "of active time" : used == 1 ? noun() : name;
            return isMoney() ? shown(used) : shown(used) + " " + unit;
        }

        private String shown(double number) {
            if (isMoney()) {
                return Amounts.dollars(number);
            }
            if (isTime()) {
                return Amounts.duration((long) number);
            }
            return number == Math.rint(number) && Math.abs(number) < 1e15
                    ? String.valueOf((long) number)
                    : String.valueOf(number);
        }
    }

    /** Explains why the usage exceeds the budget; empty when it does not. */
    static Optional<EndReason> cause(RunState state, Instant at) {
        return parts(state.spending(), state.active().until(at), state.limits().budget()).stream()
                .filter(Part::exceeded)
                .findFirst()
                .map(BudgetRules::ending);
    }

    private static EndReason ending(Part part) {
        EndReason reason =
                EndReason.of(StandardReason.BUDGET_EXCEEDED, part.text()).askedBy(StopCause.BUDGET);
        return part.isTime() ? reason.about(Optional.empty(), Optional.empty(), Optional.of(TIME)) : reason;
    }

    /**
     * When the active time reaches the warning or the cap, unless the run rests until then. After a restart the end of a
     * dead step comes first: it shows that time without agent and runtime does not count.
     */
    static Optional<Instant> nextTimeLimit(RunState state, Instant at) {
        Budget budget = state.limits().budget();
        boolean adopting = state.steps().values().stream().anyMatch(OpenStep::takenOver);
        Instant soonest = adopting ? at.plus(ADOPTION) : at;
        double share = state.ledger().warned().contains(TIME) ? 1 : budget.warnAt();
        return budget.time()
                .flatMap(cap -> state.active()
                        .since()
                        .map(since -> since.plusMillis((long) Math.ceil(cap.toMillis() * share)
                                - state.active().millis())))
                .map(due -> due.isBefore(soonest) ? soonest : due);
    }

    /**
     * The caps as needs of a resume, each with the least useful value; money in full cents.
     *
     * @param exceeded whether to return only exceeded caps
     */
    static List<Need> caps(RunState state, Budget budget, boolean exceeded) {
        return parts(state.spending(), state.active().millis(), budget).stream()
                .filter(part -> !exceeded || part.exceeded())
                .map(part -> new Need(part.requirement(), field(part)))
                .toList();
    }

    private static ResumeField field(Part part) {
        boolean money = part.isMoney();
        double next = money ? (Math.floor(part.used() * 100) + 1) / 100 : part.used() + 1;
        ResumeField field = ResumeField.of(
                "budget." + part.name(),
                money ? ResumeField.Type.NUMBER : part.isTime() ? ResumeField.Type.DURATION : ResumeField.Type.INTEGER,
                part.sufficient());
        return money
                ? field.atLeast(next).now(part.cap())
                : field.atLeast((long) next).now((long) part.cap());
    }

    /** Records each pending budget warning once. */
    static void warn(DecisionBuilder builder) {
        Budget budget = builder.state().limits().budget();
        Spending spent = builder.state().spending();
        long activeMs = builder.state().active().until(builder.at());
        for (Part part : parts(spent, activeMs, budget)) {
            if (part.used() >= part.cap() * budget.warnAt() && !warned(builder, part.name())) {
                builder.emit(new BudgetWarning(part.name(), part.used(), part.cap(), part.text()));
            }
        }
    }

    /** Whether the ended step had an unreported cost. A script has no cost, nor does a step that never ran. */
    static boolean costUnknown(RunState state, StepJudgement ended) {
        Usage used = ended.usage();
        boolean agent = dialect(state, ended.agent()) != OutputDialect.TEXT;
        boolean launched = ended.cause() != ExitCause.LAUNCH_FAILED;
        return Spending.hidesCost(used) || (agent && launched && used.costUsd().isEmpty());
    }

    /** Most agents report their cost at the end, so only an agent that never does is reported while it runs. */
    static void warnOfUnreportedCost(DecisionBuilder builder, OpenStep step) {
        boolean never = !dialect(builder.state(), step.agent()).mayReportCost();
        if (never && Spending.hidesCost(step.usage())) {
            warnOfUnreported(builder, step.agent(), step.usage(), Set.of(COST));
        }
    }

    /** A cap cannot count unreported usage; this is recorded once for each agent and unit. */
    static void warnOfUnreported(DecisionBuilder builder, StepJudgement ended) {
        Usage used = ended.usage();
        boolean silent = used.equals(Usage.UNKNOWN) && ended.failed(); // it may have failed before its first report
        boolean script = dialect(builder.state(), ended.agent()) == OutputDialect.TEXT;
        boolean mayBeSilent = script
                && !Spending.hidesCost(used)
                && !noneReports(builder.state().manifest(), ended.step());
        if (!silent && !mayBeSilent) {
            warnOfUnreported(builder, ended.agent(), used, Set.of(COST, TOKENS, TURNS));
        }
    }

    private static void warnOfUnreported(DecisionBuilder builder, String agent, Usage used, Set<String> units) {
        Budget budget = builder.state().limits().budget();
        boolean tokens = used.inputTokens().isPresent() || used.outputTokens().isPresent();
        if (units.contains(COST)
                && budget.costUsd().isPresent()
                && used.costUsd().isEmpty()) {
            String holds = budget.tokens().isPresent() && tokens
                    ? "the cap on tokens still applies"
                    : "no cap on tokens is set";
            say(builder, COST, agent, "does not report its cost: the cap on cost counts only known costs; " + holds);
        }
        if (units.contains(TOKENS) && budget.tokens().isPresent() && !tokens) {
            say(builder, TOKENS, agent, "does not report its tokens: the cap on tokens does not count them");
        }
        if (units.contains(TURNS) && budget.turns().isPresent() && used.turns().isEmpty()) {
            say(builder, TURNS, agent, "does not report its turns: the cap on turns does not count them");
        }
    }

    private static void say(DecisionBuilder builder, String unit, String agent, String what) {
        String about = UNREPORTED + ":" + unit + ":" + agent;
        if (!warned(builder, about)) {
            builder.emit(Notice.once(UNREPORTED, about, agent + " " + what));
        }
    }

    private static OutputDialect dialect(RunState state, String agent) {
        return state.manifest()
                .agent(agent)
                .map(spec -> spec.program().output())
                .orElse(OutputDialect.TEXT);
    }

    /** A script among reporting agents may use nothing; if all agents are scripts, their signals would report usage. */
    private static boolean noneReports(Manifest manifest, OpenStep ended) {
        boolean onlyText = manifest.agents().values().stream()
                .allMatch(spec -> spec.program().output() == OutputDialect.TEXT);
        boolean signals = manifest.agents().values().stream()
                .anyMatch(agent -> agent.program().signal().isPresent());
        boolean mightHave = manifest.agent(ended.agent())
                .flatMap(agent -> agent.program().signal())
                .isPresent();
        return onlyText && (mightHave || !signals);
    }

    /** Returns whether this usage reaches a cap. */
    private static boolean exceeds(Spending spent, Budget budget) {
        return parts(spent, 0, budget).stream().anyMatch(Part::exceeded);
    }

    private static boolean warned(DecisionBuilder builder, String part) {
        return builder.state().ledger().warned().contains(part);
    }

    private static List<Part> parts(Spending spent, long activeMs, Budget budget) {
        List<Part> parts = new ArrayList<>();
        budget.costUsd()
                .ifPresent(cap -> parts.add(
                        new Part(COST, spent.costReported(), spent.costUsd().doubleValue(), cap)));
        budget.tokens().ifPresent(cap -> parts.add(part(TOKENS, spent.tokens(), cap)));
        budget.turns().ifPresent(cap -> parts.add(part(TURNS, spent.turns(), cap)));
        budget.time().ifPresent(cap -> parts.add(part(TIME, OptionalLong.of(activeMs), cap.toMillis())));
        return parts;
    }

    private static Part part(String name, OptionalLong used, long cap) {
        return new Part(name, used.isPresent(), used.orElse(0), (double) cap);
    }

    /**
     * Whether the budget covers a further step beside the open ones; always true when none runs, since the further usage
     * of an open step is an estimate: the highest usage of an ended step of the same agent.
     */
    static boolean permitsLaunch(RunState state) {
        return state.steps().isEmpty()
                || !exceeds(expected(state), state.limits().budget());
    }

    private static Spending expected(RunState state) {
        Spending sum = state.ledger().spent();
        for (OpenStep step : state.steps().values()) {
            Usage highestUsage = state.ledger().highestUsage().getOrDefault(step.agent(), Usage.UNKNOWN);
            sum = sum.plus(Spending.most(step.usage(), highestUsage));
        }
        return sum;
    }
}
