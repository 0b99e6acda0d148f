package dev.loopkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log of the process, or changes what it has once")
class RequestChannelTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final RequestChannel<Question, Answer> INNER =
            new RequestChannel<>("test.inner", Question.class, Answer.class);
    private static final RequestChannel<Question, Answer> OUTER =
            new RequestChannel<>("test.outer", Question.class, Answer.class);

    private static final Question QUESTION = new Question("run-1", "build.1.dev.1", "hush");

    private final Vertx vertx = Vertx.vertx();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RequestChannel.class);

    private record Question(String runId, String stepId, String secret) {}

    private record Answer() {}

    @BeforeEach
    void listen() {
        RecordCodec.register(vertx);
        logged.start();
        logger.addAppender(logged);
        logger.setAdditive(false);
    }

    @AfterEach
    void end() throws Exception {
        logger.setAdditive(true);
        logger.detachAppender(logged);
        await(vertx.close());
    }

    /** Only the message of the exception reached the caller, and its stack trace was lost. */
    @Test
    void logsAnUnexpectedFailureOnceWithTheRunAndTheRequest() throws Exception {
        await(INNER.serve(vertx.eventBus(), question -> {
            throw new IllegalStateException("a flaw of ours");
        }));
        await(OUTER.serve(vertx.eventBus(), question -> INNER.ask(vertx.eventBus(), question, SOON)));

        Throwable reported = failure(OUTER.ask(vertx.eventBus(), QUESTION, SOON));

        assertThat(reported)
                .isInstanceOfSatisfying(
                        ReplyException.class,
                        reply -> assertThat(reply.failureCode()).isEqualTo(RequestChannel.BROKEN));
        List<ILoggingEvent> errors = List.copyOf(logged.list);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0).getLevel()).isEqualTo(Level.ERROR);
        assertThat(errors.get(0).getFormattedMessage())
                .isEqualTo("test.inner failed: Question[runId=run-1, stepId=build.1.dev.1]");
        assertThat(errors.get(0).getThrowableProxy().getMessage()).isEqualTo("a flaw of ours");
        assertThat(errors.get(0).getThrowableProxy().getStackTraceElementProxyArray())
                .isNotEmpty();
    }

    /** Askers had to know its code, and what it knew beside its text was lost. */
    @Test
    void aFailureThatAskersKnowReachesThemAsItIsAndIsNotLogged() throws Exception {
        KeyTakenException taken = new KeyTakenException("key", "run-1");
        await(INNER.serve(vertx.eventBus(), question -> Future.failedFuture(taken)));
        await(OUTER.serve(vertx.eventBus(), question -> INNER.ask(vertx.eventBus(), question, SOON)));

        assertThat(failure(OUTER.ask(vertx.eventBus(), QUESTION, SOON))).isSameAs(taken);
        assertThat(logged.list).isEmpty();
    }

    @Test
    void usersOfTheBusSeeCodeAndText() throws Exception {
        await(INNER.serve(vertx.eventBus(), question -> Future.failedFuture(new StoreException("no room", null))));

        assertThat(failure(vertx.eventBus().request(INNER.address(), QUESTION, RecordCodec.delivery())))
                .isInstanceOfSatisfying(ReplyException.class, reply -> {
                    assertThat(reply.failureCode()).isEqualTo(StoreException.CODE);
                    assertThat(reply.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
                    assertThat(reply).hasMessage("no room");
                });
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static Throwable failure(Future<?> future) throws Exception {
        return await(future.transform(over -> Future.succeededFuture(over.cause())));
    }
}
