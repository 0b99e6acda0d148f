package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.gateway.access.Admission;
import dev.loopkeeper.gateway.access.GatewayLimits;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.access.TlsFiles;
import dev.loopkeeper.process.InheritedEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code serve} for access control and limits. */
final class ServeSecurity {
    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Serve HTTPS with this certificate (PEM).")
    private Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key (PEM, PKCS#8, no password).")
    private Path key;

    @Option(
            names = "--allow-workspace",
            paramLabel = "DIR",
            split = ":",
            description = "Accept runs only in workspaces below this folder; repeatable. Default: anywhere.")
    private List<Path> workspaces;

    @Option(
            names = "--agent-env",
            paramLabel = "NAME",
            split = ",",
            description = "Agents inherit only these variables, e.g. PATH,HOME,LC_*; default all but LOOPKEEPER_*.")
    private List<String> agentEnvironment;

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            description = "Average requests per second from one address; default 5000, 0 is no limit.")
    private Integer rateLimit;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Close connections beyond this number; default 4096.")
    private Integer maxConnections;

    InheritedEnvironment inherited() {
        return agentEnvironment == null ? InheritedEnvironment.ALL : new InheritedEnvironment(agentEnvironment);
    }

    List<Path> workspaces() {
        return workspaces == null ? List.of() : workspaces;
    }

    GatewayOptions apply(GatewayOptions options) {
        Admission admission = options.admission().tls(tls()).within(workspaces());
        GatewayLimits limits = options.limits();
        if (rateLimit != null) {
            limits = limits.rate(atLeast(0, rateLimit, "--rate-limit"));
        }
        if (maxConnections != null) {
            limits = limits.connections(atLeast(1, maxConnections, "--max-connections"));
        }
        return options.admitting(admission).limited(limits);
    }

    private Optional<TlsFiles> tls() {
        if ((certificate == null) != (key == null)) {
            throw CommandFailure.refused("--tls-cert and --tls-key belong together; give both or none");
        }
        return certificate == null ? Optional.empty() : Optional.of(new TlsFiles(certificate, key));
    }

    private static int atLeast(int least, int value, String option) {
        if (value < least) {
            throw CommandFailure.refused(option + " must be " + least + " or more, was " + value);
        }
        return value;
    }
}
