package dev.loopkeeper.gateway;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who is let in, and what for.
 *
 * @param tokenFile see {@link Tokens}; needed to bind elsewhere than loopback
 * @param tls what HTTPS is served with; absent: plain HTTP
 * @param workspaces folders that workspaces of submitted runs must lie in; empty: anywhere
 * @param publicAddress where people reach the server besides, as through a proxy; absent: nowhere
 */
public record Admission(
        Optional<Path> tokenFile,
        Optional<TlsFiles> tls,
        List<Path> workspaces,
        Optional<PublicAddress> publicAddress) {
    /** Everybody who reaches the loopback address, for everything. */
    public static final Admission LOCAL =
            new Admission(Optional.empty(), Optional.empty(), List.of(), Optional.empty());

    public Admission {
        workspaces = List.copyOf(workspaces);
    }

    /** The same with these tokens. */
    public Admission tokens(Optional<Path> file) {
        return new Admission(file, tls, workspaces, publicAddress);
    }

    /** The same over HTTPS. */
    public Admission tls(Optional<TlsFiles> files) {
        return new Admission(tokenFile, files, workspaces, publicAddress);
    }

    /** The same for these folders only. */
    public Admission within(List<Path> folders) {
        return new Admission(tokenFile, tls, folders, publicAddress);
    }

    /** The same, reached there as well. */
    public Admission reachedAt(PublicAddress address) {
        return new Admission(tokenFile, tls, workspaces, Optional.of(address));
    }
}
