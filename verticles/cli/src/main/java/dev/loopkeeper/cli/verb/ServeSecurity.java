package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.ArgumentGroup;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.gateway.Admission;
import dev.loopkeeper.gateway.GatewayLimits;
import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.gateway.TlsFiles;
import dev.loopkeeper.process.InheritedEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The options of {@code serve} that say who may do how much. */
final class ServeSecurity implements ArgumentGroup {
    private Path certificate;
    private Path key;
    private List<Path> workspaces;
    private List<String> agentEnvironment;
    private Integer rateLimit;
    private Integer maxConnections;

    @Override
    public Arguments addTo(Arguments arguments) {
        return arguments
                .option("--tls-cert", "FILE", "Serve HTTPS with this certificate (PEM).")
                .path(value -> certificate = value)
                .option("--tls-key", "FILE", "Its private key (PEM, PKCS#8, no password).")
                .path(value -> key = value)
                .option(
                        "--allow-workspace",
                        "DIR",
                        "Submitted runs may work below this folder only; may be repeated. Default anywhere.")
                .split(":")
                .paths(value -> workspaces = value)
                .option(
                        "--agent-env",
                        "NAME",
                        "Agents inherit only these variables, e.g. PATH,HOME,LC_*; default all but LOOPKEEPER_*.")
                .split(",")
                .texts(value -> agentEnvironment = value)
                .option(
                        "--rate-limit",
                        "N",
                        "Requests a second of one address in the long run; default 5000, 0 = no limit.")
                .number(value -> rateLimit = value)
                .option("--max-connections", "N", "Further connections are closed; default 4096.")
                .number(value -> maxConnections = value);
    }

    InheritedEnvironment inherited() {
        return agentEnvironment == null ? InheritedEnvironment.ALL : new InheritedEnvironment(agentEnvironment);
    }

    GatewayOptions apply(GatewayOptions options) {
        Admission admission = options.admission().tls(tls()).within(workspaces == null ? List.of() : workspaces);
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
