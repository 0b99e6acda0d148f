package dev.loopkeeper.ownership;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One machine with a runtime, a warden, launchers and agents. The runtime decides by {@link NodeLease} and
 * {@link NodeWatch}, the warden and the launchers by {@link LeaseFile}; everything around them is played.
 */
final class SimulatedNode {
    /** From an order to end processes to the end of the last. */
    static final long LONGEST_SEARCH = 50;

    private static final Set<String> ROOTS = Set.of("/srv/work");
    private static final int PLACES = 4;

    /** A connection to the database. */
    private static final class Session {
        private final long id;
        private int life;
        private boolean open = true;
        private boolean made;

        private Session(long id) {
            this.id = id;
        }
    }

    /** A process at work for a run. */
    private final class Agent {
        private final String run;
        private final long since;
        private boolean asked;
        private boolean alive = true;

        private Agent(String run, long since) {
            this.run = run;
            this.since = since;
        }

        private void end() {
            if (alive) {
                alive = false;
                agents.remove(run, this);
                cluster.lived(new SimulatedCluster.AgentLife(run, SimulatedNode.this, since, cluster.now()));
            }
        }

        /** Some heed it, some do not. */
        private void ask() {
            if (!asked) {
                asked = true;
                if (random.nextInt(10) < 7) {
                    onMachine(cluster.now() + random.nextInt(800), this::end);
                }
            }
        }
    }

    private final SimulatedCluster cluster;
    private final String name;
    private final SplittableRandom random;

    // The machine.
    private final long bootedAt;
    private final double rate;
    private long machineStoodStill;
    private long machineUntil;
    private final List<Fault> standstills = new ArrayList<>();
    private final Map<String, Agent> agents = new TreeMap<>();
    private final Set<Object> launchers = new HashSet<>();
    private Optional<String> file = Optional.empty();
    private long toDatabaseUntil;
    private long fromDatabaseUntil;

    // The warden.
    private boolean wardenAlive;
    private long wardenUntil;
    private int wardenTurn;

    // The runtime.
    private LeaseTerms terms = LeaseTerms.DEFAULTS;
    private NodeLease rules = new NodeLease(terms);
    private boolean alive;
    private int life;
    private long runtimeUntil;
    private Optional<Fault> armed = Optional.empty();
    private LeaseState state = NodeLease.OUT;
    private NodeWatch watch = NodeWatch.NOTHING;
    private Optional<Session> session = Optional.empty();
    private long sessions;
    private long swept;
    private final Map<String, Long> hands = new TreeMap<>();
    private final Set<String> busy = new HashSet<>();
    private final List<Runnable> unfinished = new ArrayList<>();

    SimulatedNode(SimulatedCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        random = cluster.random();
        bootedAt = -random.nextInt(1_000_000);
        rate = 0.99 + 0.02 * random.nextDouble();
    }

    String name() {
        return name;
    }

    List<Fault> standstills() {
        return standstills;
    }

    /** Boot time as it is read: in hundredths of a second, cut off. */
    private BootTime clock() {
        long running =
                cluster.now() - bootedAt - (cluster.bug() == ProtocolBug.CLOCK_STANDS_STILL ? machineStoodStill : 0);
        return new BootTime((long) (running * rate) / 10 * 10);
    }

    /** When this clock will show that; a little later, as a timer does. */
    private long real(BootTime time) {
        long ahead = time.millis() - clock().millis();
        return cluster.now() + Math.max(0, (long) (ahead / rate)) + random.nextInt(12);
    }

    private void onMachine(long time, Runnable what) {
        cluster.at(time, () -> {
            if (cluster.now() < machineUntil) {
                onMachine(machineUntil, what);
            } else {
                what.run();
            }
        });
    }

    /** By the runtime that is there now, or never. */
    private void onRuntime(long time, Runnable what) {
        int mine = life;
        onMachine(time, () -> turn(mine, what));
    }

    private void turn(int mine, Runnable what) {
        if (mine != life || !alive) {
            return;
        }
        if (cluster.now() < runtimeUntil) {
            onRuntime(runtimeUntil, what);
            return;
        }
        // What was begun before a pause continues before anything else.
        List<Runnable> begun = List.copyOf(unfinished);
        unfinished.clear();
        begun.forEach(Runnable::run);
        if (cluster.now() < runtimeUntil) {
            onRuntime(runtimeUntil, what);
        } else {
            what.run();
        }
    }

    void start() {
        life++;
        terms = cluster.terms(this, life);
        rules = new NodeLease(terms);
        alive = true;
        runtimeUntil = 0;
        state = NodeLease.OUT;
        watch = NodeWatch.NOTHING;
        session = Optional.empty();
        hands.clear();
        busy.clear();
        unfinished.clear();
        startWarden();
        onRuntime(cluster.now(), () -> {
            input(new LeaseInput.Started(clock(), leaseFile().map(LeaseFile::deadline)));
            lookAround();
        });
    }

    boolean isLive() {
        return alive && state instanceof LeaseState.Live;
    }

    private Optional<LeaseFile> leaseFile() {
        return file.flatMap(LeaseFile::parse);
    }

    private void input(LeaseInput input) {
        LeaseDecision decision = hasBug(input, rules.decide(state, input));
        state = decision.state();
        execute(decision.commands());
        int mine = life;
        LeaseState known = state;
        TickTimes.next(state, terms)
                .ifPresent(due -> onRuntime(real(due), () -> {
                    if (mine == life && known.equals(state)) {
                        input(new LeaseInput.Tick(clock()));
                    }
                }));
    }

    private LeaseDecision hasBug(LeaseInput input, LeaseDecision decision) {
        if (cluster.bug() == ProtocolBug.DEADLINE_FROM_REPLY
                && input instanceof LeaseInput.Renewed
                && decision.state() instanceof LeaseState.Live live) {
            BootTime deadline = input.at().plus(terms.stopAfter());
            LeaseState.Lease lease = live.lease();
            return LeaseDecision.of(
                    new LeaseState.Live(
                            new LeaseState.Lease(lease.incarnation(), deadline, lease.question(), lease.next())),
                    new LeaseCommand.WriteFile(new LeaseFile(lease.incarnation(), deadline)));
        }
        return decision;
    }

    private void execute(List<LeaseCommand> commands) {
        for (int index = 0; index < commands.size(); index++) {
            if (strikes(Fault.Kind.PAUSE_BEFORE_EFFECT)) {
                List<LeaseCommand> rest = commands.subList(index, commands.size());
                unfinished.add(() -> execute(rest));
                onRuntime(runtimeUntil, () -> {});
                return;
            }
            execute(commands.get(index));
        }
    }

    @CanIgnoreReturnValue
    private boolean strikes(Fault.Kind kind) {
        boolean now = armed.isPresent() && armed.get().kind() == kind;
        if (now) {
            runtimeUntil = armed.get().until();
            armed = Optional.empty();
        }
        return now;
    }

    private void execute(LeaseCommand command) {
        if (command instanceof LeaseCommand.Join join) {
            ask(
                    () -> cluster.database().join(name, terms, cluster.wallClock()),
                    incarnation -> input(new LeaseInput.Joined(clock(), join.sentAt(), incarnation)),
                    () -> input(new LeaseInput.Unanswered(clock(), join.sentAt())));
        } else if (command instanceof LeaseCommand.Renew renew) {
            ask(
                    () -> cluster.database().renew(name, renew.incarnation(), terms, cluster.wallClock()),
                    answer -> input(
                            answer == FakeDatabase.Answer.DONE
                                    ? new LeaseInput.Renewed(clock(), renew.sentAt(), renew.incarnation())
                                    : new LeaseInput.Fenced(clock(), renew.incarnation())),
                    () -> input(new LeaseInput.Unanswered(clock(), renew.sentAt())));
            strikes(Fault.Kind.PAUSE_AFTER_RENEWAL);
        } else if (command instanceof LeaseCommand.WriteFile write) {
            file = Optional.of(write.file().text());
            wakeWarden(write.file().deadline());
        } else if (command instanceof LeaseCommand.DropRuns) {
            hands.clear();
        } else if (command instanceof LeaseCommand.EndTrees end) {
            agents.values().forEach(Agent::ask);
            searchTrees(end.killAt());
        } else if (command instanceof LeaseCommand.Release release) {
            Set<String> atRest = new HashSet<>(hands.keySet());
            atRest.removeAll(agents.keySet());
            atRest.removeAll(busy);
            ask(() -> cluster.database().release(name, release.incarnation(), atRest), answer -> die(), this::die);
        }
        // RecoverRuns is what each look does.
    }

    private void searchTrees(BootTime killAt) {
        onRuntime(cluster.now() + 1 + random.nextLong(LONGEST_SEARCH), () -> {
            if (!clock().isBefore(killAt)) {
                killAll();
            }
            if (agents.isEmpty() && launchers.isEmpty() && wardenAlive) {
                if (state instanceof LeaseState.Fencing) {
                    input(new LeaseInput.TreesGone(clock()));
                }
            } else {
                searchTrees(killAt);
            }
        });
    }

    private void killAll() {
        List.copyOf(agents.values()).forEach(Agent::end);
        launchers.clear();
    }

    // ---- The others, and the runs of this node.

    private void lookAround() {
        onRuntime(real(clock().plus(LeaseTerms.CHECK_INTERVAL)), this::lookAround);
        look();
    }

    private void look() {
        Optional<Long> incarnation = held();
        if (incarnation.isEmpty()) {
            return;
        }
        long lease = incarnation.get();
        long over = session().id;
        ask(
                () -> cluster.database().look(name, lease, ROOTS, PLACES, cluster.wallClock()),
                look -> {
                    if (held().equals(Optional.of(lease)) && state.mayWrite(clock())) {
                        looked(look, lease, over);
                    }
                },
                () -> {});
        strikes(Fault.Kind.PAUSE_AFTER_LOOK);
    }

    private Optional<Long> held() {
        if (state instanceof LeaseState.Live live) {
            return Optional.of(live.lease().incarnation());
        }
        return state instanceof LeaseState.Doubtful doubtful
                ? Optional.of(doubtful.lease().incarnation())
                : Optional.empty();
    }

    private void looked(FakeDatabase.LeaseView look, long incarnation, long over) {
        BootTime at = clock();
        List<NodeBeat> others =
                cluster.bug() == ProtocolBug.ANOTHERS_LEASE_BY_ONES_OWN ? byOwnTerms(look.others()) : look.others();
        watch = watch.look(at, cluster.bug() == ProtocolBug.OBSERVATION_ACROSS_SESSIONS ? 0 : over, others);
        due(look, at).forEach(silent -> fence(incarnation, silent));
        hands.clear();
        hands.putAll(look.own());
        if (swept != incarnation) {
            swept = incarnation;
            agents.values().stream()
                    .filter(agent -> !hands.containsKey(agent.run))
                    .toList()
                    .forEach(Agent::end);
        }
        hands.forEach(this::work);
    }

    private List<NodeBeat> byOwnTerms(List<NodeBeat> others) {
        return others.stream()
                .map(beat -> new NodeBeat(beat.node(), beat.incarnation(), beat.beat(), terms))
                .toList();
    }

    private List<NodeBeat> due(FakeDatabase.LeaseView look, BootTime at) {
        return cluster.bug() == ProtocolBug.DATABASE_CLOCK
                ? look.others().stream()
                        .filter(beat -> look.silentByWallClock().get(beat)
                                >= beat.terms().lease().toMillis())
                        .toList()
                : watch.due(at);
    }

    private void fence(long incarnation, NodeBeat silent) {
        ask(
                () -> cluster.database().fence(name, incarnation, silent, cluster.now()),
                answer -> {
                    if (answer == FakeDatabase.Answer.DONE) {
                        look();
                    }
                },
                () -> {});
    }

    /** Records that a step begins, then launches it, as a run's actor does. */
    private void work(String run, long epoch) {
        if (agents.containsKey(run) || !busy.add(run)) {
            return;
        }
        long incarnation = held().orElseThrow();
        ask(
                () -> cluster.database().append(name, incarnation, run, epoch),
                answer -> {
                    if (answer == FakeDatabase.Answer.FENCED) {
                        input(new LeaseInput.Fenced(clock(), incarnation));
                    } else if (answer == FakeDatabase.Answer.DONE
                            && Long.valueOf(epoch).equals(hands.get(run))) {
                        state.mayLaunch(clock(), terms)
                                .ifPresentOrElse(lease -> launch(run, lease), () -> busy.remove(run));
                        return;
                    }
                    busy.remove(run);
                },
                () -> busy.remove(run));
    }

    /** On a thread of its own that no thread calls back; then a process starts, which checks the file and the clock. */
    private void launch(String run, long lease) {
        onRuntime(cluster.now() + cluster.slowThread(), () -> fork(run, lease));
    }

    private void fork(String run, long lease) {
        onRuntime(cluster.now() + cluster.slowThread(), () -> {
            Object launcher = new Object();
            launchers.add(launcher);
            onMachine(cluster.now() + 2 + random.nextInt(20), () -> {
                busy.remove(run);
                if (launchers.remove(launcher) && permits(lease) && !agents.containsKey(run)) {
                    begin(run);
                }
            });
        });
    }

    private boolean permits(long lease) {
        return leaseFile()
                .filter(found ->
                        cluster.bug() == ProtocolBug.LAUNCH_OF_AN_EARLIER_LEASE || found.incarnation() == lease)
                .filter(found -> clock().isBefore(found.deadline()))
                .isPresent();
    }

    private void begin(String run) {
        Agent agent = new Agent(run, cluster.now());
        agents.put(run, agent);
        onMachine(cluster.now() + 2_000 + random.nextInt(40_000), agent::end);
    }

    // ---- The network.

    private Session session() {
        if (session.filter(open -> open.open).isEmpty()) {
            Session made = new Session(++sessions);
            made.life = cluster.database().life();
            session = Optional.of(made);
        }
        return session.get();
    }

    /** A question over the connection, which is given up when the answer is not there in time. */
    private <T> void ask(Supplier<T> statement, Consumer<T> answered, Runnable unanswered) {
        Question question = new Question(session(), unanswered);
        arrive(question, () -> {
            FakeDatabase database = cluster.database();
            if (!database.isUp() || question.over.life != database.life()) {
                back(question, question::fail);
                return;
            }
            T answer = statement.get();
            int answering = database.life();
            back(question, () -> {
                // A database that went down may have taken the answer with it.
                if (database.life() != answering && random.nextBoolean()) {
                    question.fail();
                } else if (!question.done && question.over.open) {
                    question.done = true;
                    answered.accept(answer);
                }
            });
        });
    }

    /** Something asked by this runtime. */
    private final class Question {
        private final int asker = life;
        private final Session over;
        private final Runnable unanswered;
        private final BootTime limit = clock().plus(LeaseTerms.ANSWER);
        private boolean done;
        private boolean timed;

        private Question(Session over, Runnable unanswered) {
            this.over = over;
            this.unanswered = unanswered;
        }

        private void fail() {
            over.open = false;
            if (!done) {
                done = true;
                unanswered.run();
            }
        }

        /** The timer runs from the beginning; where the answer is sure to come before it, it is not played. */
        private void mayBeLate() {
            if (!timed) {
                timed = true;
                int mine = asker;
                onMachine(
                        real(limit),
                        () -> turn(mine, () -> {
                            if (!done) {
                                fail();
                            }
                        }));
            }
        }

        private long delay() {
            long delay = cluster.delay();
            if (delay >= LeaseTerms.ANSWER.toMillis() / 3) {
                mayBeLate();
            }
            return delay;
        }
    }

    /**
     * What is sent while the link is cut arrives when it is whole again, sometimes although no caller waits any more. A
     * connection is made by a question and an answer.
     */
    private void arrive(Question question, Runnable statement) {
        cluster.at(cluster.now() + question.delay(), () -> {
            long cut = question.over.made ? toDatabaseUntil : Math.max(toDatabaseUntil, fromDatabaseUntil);
            if (cluster.now() >= cut) {
                question.over.made = true;
                statement.run();
                return;
            }
            question.mayBeLate();
            cluster.at(cut, () -> {
                if (question.over.open || random.nextInt(3) == 0) {
                    arrive(question, statement);
                }
            });
        });
    }

    /** Sent again until it arrives. */
    private void back(Question question, Runnable answer) {
        long there = Math.max(cluster.now() + question.delay(), fromDatabaseUntil);
        if (there - cluster.now() >= LeaseTerms.ANSWER.toMillis() / 3) {
            question.mayBeLate();
        }
        cluster.at(there, () -> {
            if (cluster.now() < fromDatabaseUntil) {
                back(question, answer);
            } else {
                read(question, answer);
            }
        });
    }

    /** It lies in the socket until it is read. */
    private void read(Question question, Runnable answer) {
        long until = Math.max(machineUntil, runtimeUntil);
        if (cluster.now() >= until) {
            turn(question.asker, answer);
        } else {
            question.mayBeLate();
            cluster.at(until, () -> read(question, answer));
        }
    }

    // ---- The warden.

    private void startWarden() {
        wardenAlive = true;
        wardenUntil = 0;
        wakeWarden(clock());
    }

    /** It looks ten times a second; here only when it could find something to do. */
    private void wakeWarden(BootTime due) {
        int mine = ++wardenTurn;
        long look = real(due) + random.nextLong(LeaseTerms.WARDEN_INTERVAL.toMillis() - 12);
        cluster.at(look, () -> wardenTurn(mine));
    }

    private void wardenTurn(int mine) {
        if (mine != wardenTurn || !wardenAlive) {
            return;
        }
        long sleeps = Math.max(machineUntil, wardenUntil);
        if (cluster.now() < sleeps) {
            cluster.at(sleeps + random.nextLong(LeaseTerms.WARDEN_INTERVAL.toMillis()), () -> wardenTurn(mine));
            return;
        }
        Optional<BootTime> deadline = leaseFile().map(LeaseFile::deadline);
        Optional<BootTime> killAt = deadline.map(due -> due.plus(LeaseTerms.GRACE));
        if (deadline.filter(clock()::isBefore).isPresent()) {
            wakeWarden(deadline.orElseThrow());
        } else if (killAt.filter(clock()::isBefore).isPresent()) {
            agents.values().forEach(Agent::ask);
            wakeWarden(killAt.orElseThrow());
        } else if (cluster.bug() == ProtocolBug.WARDEN_ASKS_FIRST
                && agents.values().stream().anyMatch(agent -> !agent.asked)) {
            agents.values().forEach(Agent::ask);
            wakeWarden(clock().plus(LeaseTerms.GRACE));
        } else {
            onMachine(cluster.now() + 1 + random.nextLong(LONGEST_SEARCH - 1), this::killAll);
            if (!agents.isEmpty() || !launchers.isEmpty()) {
                wakeWarden(clock().plus(LeaseTerms.WARDEN_INTERVAL));
            }
        }
    }

    // ---- Faults.

    void begin(Fault fault) {
        switch (fault.kind()) {
            case KILL_RUNTIME -> die();
            case KILL_BOTH -> {
                die();
                wardenAlive = false;
                onMachine(cluster.now() + 1 + random.nextInt(5), this::killAll);
            }
            case PAUSE_RUNTIME -> runtimeUntil = fault.until();
            case PAUSE_AFTER_RENEWAL, PAUSE_AFTER_LOOK, PAUSE_BEFORE_EFFECT -> armed = Optional.of(fault);
            case PAUSE_WARDEN -> wardenUntil = fault.until();
            case KILL_WARDEN -> {
                wardenAlive = false;
                onRuntime(cluster.now() + 50 + random.nextInt(900), this::startWarden);
            }
            case LOSE_WARDEN -> {
                wardenAlive = false;
                onRuntime(
                        real(clock().plus(LeaseTerms.WITHOUT_WARDEN)), () -> input(new LeaseInput.WardenLost(clock())));
            }
            case PAUSE_MACHINE -> {
                machineUntil = fault.until();
                standstills.add(fault);
            }
            case LEAVE -> onRuntime(cluster.now(), () -> input(new LeaseInput.Leave(clock())));
            case CUT -> {
                toDatabaseUntil = fault.until();
                fromDatabaseUntil = fault.until();
            }
            case CUT_TO_DATABASE -> toDatabaseUntil = fault.until();
            case CUT_FROM_DATABASE -> fromDatabaseUntil = fault.until();
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    private void die() {
        alive = false;
        armed = Optional.empty();
        session.ifPresent(open -> open.open = false);
    }

    void end(Fault fault) {
        switch (fault.kind()) {
            case KILL_RUNTIME, KILL_BOTH -> start();
            case LEAVE -> {
                die();
                start();
            }
            case LOSE_WARDEN -> startWarden();
            case PAUSE_MACHINE -> machineStoodStill += fault.until() - fault.at();
            default -> armed = Optional.empty();
        }
    }

    void endOfSimulation() {
        List.copyOf(agents.values()).forEach(Agent::end);
    }
}
