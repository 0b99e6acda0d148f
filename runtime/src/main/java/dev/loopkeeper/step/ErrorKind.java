package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The table of errors: what each is called, whether it passes by itself, how long to wait when nobody said, and what
 * gives it away. Texts are tried from top to bottom; what is above wins.
 */
public enum ErrorKind {
    /** A plan's allowance is used up until it resets. */
    USAGE_WINDOW(
            "usage-window",
            ErrorCategory.PROVIDER,
            Delays.LONG,
            Signs.none()
                    .codes("usage_limit_reached", "usage_limit_exceeded")
                    .text(
                            "\\b(?:hit|reached|exceeded) your (?:\\w{1,20} )?(?:usage|session|weekly|daily|monthly|hourly|5-hour|five-hour|plan) limit\\b",
                            "\\b(?:hit|reached|exceeded) your (?:[\\w.-]{1,20} ){0,3}limit\\b.{0,40}\\b(?:resets?|try again)\\b",
                            "\\b(?:usage|session|weekly|5-hour|five-hour|daily) limit (?:has been )?(?:reached|exceeded|hit)\\b",
                            "\\bexhausted your (?:daily quota|capacity)\\b",
                            "\\bout of (?:extra )?usage\\b")),
    /** The account must be paid or topped up. */
    BILLING(
            "billing",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.statuses(402)
                    .codes("insufficient_quota", "billing_error", "billing_hard_limit_reached", "billing_not_active")
                    .text(
                            "\\binsufficient_quota\\b",
                            "\\bcredit balance is too low\\b",
                            "\\bquota exceeded for (?:this|the) month\\b",
                            "\\bpayment required\\b",
                            "\\bbilling (?:hard limit|is not active|has been disabled)",
                            "\\binsufficient (?:credits?|funds|balance)\\b",
                            // The same words with a time to retry are a rate limit at other providers.
                            "\\A(?!(?s:.{0,16384}(?:RESOURCE_EXHAUSTED|retry in)))(?s:.{0,16384})exceeded your current quota")),
    /** Too many requests just now. */
    RATE_LIMIT(
            "rate-limit",
            ErrorCategory.PROVIDER,
            Duration.ofSeconds(60),
            Signs.statuses(429)
                    .codes(
                            "rate_limit",
                            "rate_limited",
                            "rate_limit_error",
                            "rate_limit_exceeded",
                            "resource_exhausted",
                            "too_many_requests",
                            "ThrottlingException")
                    .text(
                            "\\brate[ _-]?limit(?:ed\\b|_error\\b|_exceeded\\b| error\\b)",
                            "\\brate limits?\\b.{0,60}\\b(?:exceeded|reached|hit|try again|retry (?:in|after)|resets? (?:in|at))\\b",
                            "\\b(?:exceed(?:ed|s)?|reached|hit)\\b.{0,60}\\brate limits?\\b",
                            "\\btoo many requests\\b",
                            "\\bRESOURCE_EXHAUSTED\\b",
                            "\\bThrottlingException\\b",
                            "(?<!\\bdisk )\\bquota exceeded\\b",
                            "\\bexceeded your current quota\\b")),
    /** The machine under us is the matter; ends the run {@code error_infrastructure}. */
    INFRASTRUCTURE(
            "infrastructure",
            ErrorCategory.UNKNOWN,
            Delays.NEVER,
            Signs.none()
                    .codes("ENOSPC", "ENOMEM", "EROFS", "EMFILE", "ENFILE", "EDQUOT")
                    .text(
                            "\\b(?:ENOSPC|ENOMEM|EROFS|EMFILE|ENFILE|EDQUOT)\\b",
                            "\\bno space left on device\\b",
                            "\\bdisk quota exceeded\\b")),
    /** More text than the model takes. */
    CONTEXT_OVERFLOW(
            "context-overflow",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.statuses(413)
                    .codes(
                            "context_length_exceeded",
                            "ContextOverflowError",
                            "prompt_too_long",
                            "rapid_refill_breaker",
                            "request_too_large")
                    .text(
                            "\\bcontext_length_exceeded\\b",
                            "\\b(?:prompt|input|conversation) is too long\\b",
                            "\\bmaximum context length\\b",
                            "\\bexceed(?:s|ed)?\\b.{0,40}\\bcontext (?:window|length|limit)\\b",
                            "\\bcontext window (?:is )?(?:full|exceeded)\\b",
                            "\\bout of room in the model's context window\\b",
                            "\\binput token count\\b.{0,40}\\bexceeds\\b")),
    /** The provider has too much to do. */
    OVERLOADED(
            "overloaded",
            ErrorCategory.PROVIDER,
            Delays.SERVER,
            Signs.statuses(529)
                    .codes("overloaded", "overloaded_error", "server_overloaded")
                    .text(
                            "\\boverloaded_error\\b",
                            "\\b(?:model|server|service|provider|api|engine)s? (?:is|are) (?:\\w{1,12} )?overloaded\\b",
                            "^(?:.{0,40}error\\W{1,3}|\\W{0,3})overloaded\\W{0,3}$",
                            "\\bat capacity\\b.{0,40}\\btry again\\b")),
    /** The way to the provider failed. */
    NETWORK(
            "network",
            ErrorCategory.NETWORK,
            Duration.ofSeconds(3),
            Signs.none()
                    .codes("ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN", "network_error")
                    .text(
                            "\\b(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\\b",
                            "\\bUND_ERR_(?:CONNECT_TIMEOUT|SOCKET)\\b",
                            "\\bsocket hang up\\b",
                            "\\bgetaddrinfo\\b",
                            "\\bfetch failed\\b",
                            "\\bnetwork (?:error|is unreachable|connection (?:lost|error))",
                            "\\bconnection (?:reset|refused|timed out)\\b",
                            "^(?:.{0,20}error: )?connection error\\W{0,3}$",
                            "\\bcould not resolve host\\b",
                            "\\berror sending request\\b")),
    /** An answer that broke off. */
    STREAM_CUT(
            "stream-cut",
            ErrorCategory.NETWORK,
            Duration.ofSeconds(15),
            Signs.none()
                    .text(
                            "\\bunexpected end of json input\\b",
                            "\\b(?:stream )?idle timeout\\b.{0,40}\\bstream\\b",
                            "\\bstream idle timeout\\b",
                            "^(?:.{0,40}error: )?terminated\\W{0,3}$",
                            "\\bother side closed\\b",
                            "\\bpremature close\\b",
                            "\\bstream (?:disconnected|closed|ended) (?:before|unexpectedly)",
                            "^reconnecting\\b")),
    /** The plan does not include what was asked for. */
    ENTITLEMENT(
            "entitlement",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.none()
                    .codes("usage_not_included")
                    .text(
                            "\\bnot (?:available|included|supported) (?:for|on|with|in|by) your (?:\\w{1,20} ){0,2}(?:plan|subscription|account|tier)\\b",
                            "\\brequires? an? (?:\\w{1,20} ){0,2}(?:plan|subscription)\\b")),
    /** No such model. */
    MODEL_MISSING(
            "model-missing",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.statuses(404)
                    .codes("model_not_found", "ProviderModelNotFoundError")
                    .text(
                            "\\bmodel_not_found\\b",
                            "\\bmodel\\b.{0,80}\\b(?:does not exist|may not exist|is not found|not found|no longer available)\\b",
                            "\\b(?:unknown|invalid|no such) model\\b")),
    /** Who we are was not accepted. */
    AUTH(
            "auth",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.statuses(401, 403)
                    .codes(
                            "authentication_error",
                            "authentication_failed",
                            "ProviderAuthError",
                            "FatalAuthenticationError",
                            "invalid_api_key",
                            "permission_error",
                            "permission_denied",
                            "unauthenticated",
                            "unauthorized",
                            "forbidden")
                    .text(
                            "\\b(?:invalid|incorrect|missing|expired) (?:x-)?api[ _-]?key\\b",
                            "\\binvalid_api_key\\b",
                            "\\bapi[ _-]?key (?:is |was )?(?:not valid|invalid|missing|expired|not found|required)\\b",
                            "\\bnot logged in\\b",
                            "\\bplease run /login\\b",
                            "\\bauthentication_error\\b",
                            "\\bauthentication (?:failed|required)\\b",
                            "\\b(?:oauth|access|refresh|auth) token (?:has |is |was )?(?:expired|revoked|invalid)\\b",
                            "^(?:.{0,20}error: )?unauthorized\\W{0,3}$")),
    /** The provider failed. */
    SERVER(
            "server",
            ErrorCategory.PROVIDER,
            Delays.SERVER,
            Signs.statuses(408, 500, 502, 503, 504)
                    .codes("server_error", "internal_server_error", "internal", "unavailable", "deadline_exceeded")
                    .text(
                            "\\binternal server error\\b",
                            "\\bbad gateway\\b",
                            "\\bservice (?:is )?(?:temporarily )?unavailable\\b",
                            "\\bgateway time-?out\\b",
                            "<!doctype html\\b",
                            "<html\\b")),
    /** The provider did not understand the request. */
    BAD_REQUEST(
            "bad-request",
            ErrorCategory.PROVIDER,
            Delays.NEVER,
            Signs.statuses(400, 422)
                    .codes("invalid_request_error", "invalid_request", "invalid_argument", "FatalInputError")
                    .text("\\binvalid_request_error\\b", "\\bINVALID_ARGUMENT\\b")),
    /** An operator or a shutdown ended it. */
    ABORTED(
            "aborted",
            ErrorCategory.ABORTED,
            Delays.NEVER,
            Signs.none().codes("MessageAbortedError", "FatalCancellationError")),
    /** The hard limit passed. */
    TIMEOUT("timeout", ErrorCategory.TIMEOUT, Delays.NEVER, Signs.none()),
    /** Nothing moved for too long. */
    IDLE("idle", ErrorCategory.IDLE, Delays.NEVER, Signs.none()),
    /** It could not be launched. */
    SESSION_FAILED("session-failed", ErrorCategory.SESSION_FAILED, Delays.NEVER, Signs.none()),
    /** Its process was ended by a signal that was not ours, or vanished. */
    CRASHED("crashed", ErrorCategory.UNKNOWN, Delays.NEVER, Signs.none()),
    /** None of these. */
    UNCLASSIFIED("unclassified", ErrorCategory.UNKNOWN, Delays.NEVER, Signs.none());

    private final String wire;
    private final ErrorCategory category;
    private final Duration defaultDelay;
    /** Its sets are unmodifiable copies, which their type does not show. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Signs signs;

    ErrorKind(String wire, ErrorCategory category, Duration defaultDelay, Signs signs) {
        this.wire = wire;
        this.category = category;
        this.defaultDelay = defaultDelay;
        this.signs = signs;
    }

    /** The spelling in files and messages, {@link ErrorContext#kind}. */
    @JsonValue
    public String wire() {
        return wire;
    }

    /** The broad cause. */
    public ErrorCategory category() {
        return category;
    }

    /** Whether the same again may succeed. */
    public boolean isTransient() {
        return !defaultDelay.isZero();
    }

    /** The wait before the first retry when nothing is stated; zero for what does not pass by itself. */
    public Duration defaultDelay() {
        return defaultDelay;
    }

    Signs signs() {
        return signs;
    }

    /** The kind with this spelling. */
    public static Optional<ErrorKind> of(String wire) {
        return Stream.of(values()).filter(kind -> kind.wire.equals(wire)).findFirst();
    }

    /** Figures of the table that several rows share. */
    private static final class Delays {
        static final Duration NEVER = Duration.ZERO;
        static final Duration SERVER = Duration.ofSeconds(30);
        static final Duration LONG = Duration.ofMinutes(5);
    }
}
