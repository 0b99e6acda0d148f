package dev.loopkeeper.gateway.access;

import dev.loopkeeper.contract.OpenServer;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks where a request comes from and what its caller may do. The {@code Host} must be a name of this server, which
 * excludes pages that rebind their name to 127.0.0.1. Changes and WebSockets must have the server's origin. The public
 * URL of a proxy is also accepted. If tokens are configured, the request needs one with the required scope.
 */
public final class Access {
    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Set<HttpMethod> READ_ONLY = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?");
    private static final String GRANTED = Access.class.getName();
    private static final String BY = GRANTED + ".by";
    private static final String BEARER = "bearer ";

    /** Subprotocol of the feed's WebSocket, selected for clients that offer it. */
    public static final String PROTOCOL = "loopkeeper";

    private static final String OFFERED = "Sec-WebSocket-Protocol";
    private static final String BEARER_PROTOCOL = PROTOCOL + ".bearer.";

    private final String boundHost;
    private final Tokens tokens;
    private final Optional<PublicAddress> publicAddress;
    /** Whether another handler has identified the callers. */
    private final boolean authenticated;

    Access(String boundHost, Tokens tokens, Optional<PublicAddress> publicAddress, boolean authenticated) {
        this.authenticated = authenticated;
        this.boundHost = boundHost.toLowerCase(Locale.ROOT);
        this.tokens = tokens;
        this.publicAddress = publicAddress;
    }

    /** Returns whether only this machine reaches the address; false for names that need a lookup. */
    static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }

    /** Checks Host and Origin. Install before other checks. */
    public void checkSource(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.headers().getAll(HttpHeaders.HOST).size() > 1) {
            throw Problem.invalid("the request names its Host more than once");
        }
        if (tokens.none() && !authenticated && !isLocal(request.remoteAddress())) {
            throw new Problem(
                    RefusalCode.UNAUTHORIZED,
                    "without tokens only this machine is served; set a token file or an AuthenticationHandler");
        }
        HostAndPort host = request.authority();
        if (host == null ? !isOldProbe(request) : !knownHost(host.host())) {
            throw new Problem(
                    RefusalCode.FORBIDDEN_HOST,
                    "this Host is not a name of this server; use http://127.0.0.1, or serve with --public-url");
        }
        boolean readOnly =
                READ_ONLY.contains(request.method()) && !request.headers().contains(HttpHeaders.UPGRADE);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (!readOnly && origin != null && !sameOrigin(origin, request.getHeader(HttpHeaders.HOST))) {
            throw new Problem(
                    RefusalCode.FORBIDDEN_ORIGIN,
                    "a web page of another origin sent this request; such pages have only read access");
        }
        context.next();
    }

    private static boolean isLocal(SocketAddress client) {
        String address = client == null ? null : client.hostAddress();
        return address == null || isLoopback(address) || address.equals("0:0:0:0:0:0:0:1");
    }

    /** HTTP/1.0 needs no Host. Browsers do not use it, so name rebinding is impossible. */
    private static boolean isOldProbe(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_0 && !request.headers().contains(HttpHeaders.HOST);
    }

    private boolean knownHost(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        // A server that is not on loopback may have any name, and other pages do not know a token.
        return LOCAL_NAMES.contains(name)
                || name.equals(boundHost)
                || !isLoopback(boundHost)
                || authenticated
                || publicAddress.filter(address -> address.host().equals(name)).isPresent();
    }

    private boolean sameOrigin(String origin, String host) {
        if (publicAddress.filter(address -> address.origin().equals(origin)).isPresent()) {
            return true;
        }
        // The public name accepts its exact origin only: over plain HTTP others could impersonate it.
        if (publicAddress
                .filter(address -> address.authority().equalsIgnoreCase(host))
                .isPresent()) {
            return false;
        }
        try {
            return host != null && host.equalsIgnoreCase(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    /** Checks that the caller has this scope. */
    public void checkScope(RoutingContext context, Scope needed) {
        if (tokens.none()) {
            if (needed != Scope.OPEN && OpenServer.isClosed(context.vertx())) {
                checkSecret(context);
            }
            context.put(GRANTED, Scope.CONTROL);
            Optional.ofNullable(context.user()).map(User::subject).ifPresent(name -> context.put(BY, name));
        } else if (needed != Scope.OPEN) {
            Tokens.Grant grant = grantOf(context);
            Scope given = grant.scope();
            if (given == Scope.OPEN) {
                context.response().putHeader("WWW-Authenticate", "Bearer");
                throw new Problem(RefusalCode.UNAUTHORIZED, "send a valid token as 'Authorization: Bearer <token>'");
            }
            if (!given.allows(needed)) {
                throw new Problem(RefusalCode.FORBIDDEN_SCOPE, "this token has only the scope read");
            }
            context.put(GRANTED, given);
            context.put(BY, grant.by());
        }
        if (needed == Scope.CONTROL && !READ_ONLY.contains(context.request().method())) {
            context.addEndHandler(sent -> LOG.info(
                    "{} {} by {}: {}",
                    context.request().method(),
                    context.request().path(),
                    by(context),
                    context.response().getStatusCode()));
        }
        context.next();
    }

    private static void checkSecret(RoutingContext context) {
        byte[] secret = OpenServer.secret(context.vertx()).getBytes(StandardCharsets.UTF_8);
        byte[] given = bearer(context).orElse("").getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(secret, given)) {
            throw new Problem(
                    RefusalCode.UNAUTHORIZED,
                    "an agent in a sandbox ran, so this server without tokens accepts only commands that read its data"
                            + " folder; use loopkeeper serve --token-file");
        }
    }

    /** Returns the caller's scope after {@link #checkScope}. */
    public static Scope granted(RoutingContext context) {
        return Optional.ofNullable(context.<Scope>get(GRANTED)).orElse(Scope.OPEN);
    }

    /** Returns who sends the request, after {@link #checkScope}, as events record it. */
    public static String by(RoutingContext context) {
        return Optional.ofNullable(context.<String>get(BY)).orElse(Requester.LOCAL);
    }

    /** Returns the token of the Authorization header. */
    public static Optional<String> bearer(RoutingContext context) {
        return Optional.ofNullable(context.request().getHeader(HttpHeaders.AUTHORIZATION))
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(BEARER))
                .map(header -> header.substring(BEARER.length()).strip());
    }

    private Tokens.Grant grantOf(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.headers().contains(HttpHeaders.AUTHORIZATION)) {
            return bearer(context).map(tokens::of).orElse(Tokens.Grant.NONE);
        }
        return request.headers().contains(HttpHeaders.UPGRADE)
                ? offered(request).map(tokens::of).orElse(Tokens.Grant.NONE)
                : Tokens.Grant.NONE;
    }

    /** Returns the token that a browser sends as a base64url subprotocol, since it cannot set WebSocket headers. */
    private static Optional<String> offered(HttpServerRequest request) {
        return Stream.of(Optional.ofNullable(request.getHeader(OFFERED))
                        .orElse("")
                        .split(","))
                .map(String::strip)
                .filter(name -> name.startsWith(BEARER_PROTOCOL))
                .findFirst()
                .map(name -> decoded(name.substring(BEARER_PROTOCOL.length())));
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }
}
