package dev.loopkeeper.gateway.access;

import io.vertx.ext.web.handler.AuthenticationHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Options of access to the server.
 *
 * @param tokenFile see {@link Tokens}; required unless bound to loopback
 * @param tls files for HTTPS; absent: plain HTTP
 * @param workspaces folders that contain the workspaces of submitted runs; empty: any
 * @param publicAddress additional public URL, such as that of a proxy; absent: none
 * @param authentication identifies callers in place of tokens; every caller that it lets pass may do everything
 */
public record Admission(
        Optional<Path> tokenFile,
        Optional<TlsFiles> tls,
        List<Path> workspaces,
        Optional<PublicAddress> publicAddress,
        Optional<AuthenticationHandler> authentication) {
    /** Full access for everyone on this machine. */
    public static final Admission LOCAL =
            new Admission(Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Optional.empty());

    public Admission {
        workspaces = List.copyOf(workspaces);
    }

    /** Returns the options with this token file. */
    public Admission tokens(Optional<Path> file) {
        return new Admission(file, tls, workspaces, publicAddress, authentication);
    }

    /** Returns the options with HTTPS. */
    public Admission tls(Optional<TlsFiles> files) {
        return new Admission(tokenFile, files, workspaces, publicAddress, authentication);
    }

    /** Returns the options with these workspace folders. */
    public Admission within(List<Path> folders) {
        return new Admission(tokenFile, tls, folders, publicAddress, authentication);
    }

    /** Returns the options with this public URL. */
    public Admission reachedAt(PublicAddress address) {
        return new Admission(tokenFile, tls, workspaces, Optional.of(address), authentication);
    }

    /** Returns the options with another way to identify callers. */
    public Admission authenticated(AuthenticationHandler handler) {
        return new Admission(tokenFile, tls, workspaces, publicAddress, Optional.of(handler));
    }
}
