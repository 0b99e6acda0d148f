package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.SettingsFile;
import dev.loopkeeper.contract.OpenServer;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.access.PublicAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The command {@code loopkeeper serve}. */
@Command(
        name = "serve",
        description = "Execute the runs of the data folder and serve the API, until a signal ends it.",
        footer = {
            "",
            "Prints one line with its URL when it is ready. SIGTERM or Ctrl-C drains: it ends the agents that may not"
                    + " outlive it; the next start adopts the others. The exit code is 143 or 130."
        })
public final class ServeCommand implements Callable<Integer> {
    private static final int MOST_PORTS = 65_535;

    @ParentCommand
    private RootCommand root;

    @Option(
            names = "--host",
            paramLabel = "H",
            defaultValue = "127.0.0.1",
            description = "Address to bind; default 127.0.0.1. Others need --token-file.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7420",
            description = "Port; default 7420, 0 picks a free one.")
    private int port;

    @Option(
            names = "--max-runs",
            paramLabel = "N",
            description = "Run at most this many at once and queue the others; default: no limit.")
    private Integer maxRuns;

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description =
                    "URL that people use, e.g. https://loops.example: for links in notifications, and behind a proxy.")
    private String publicUrl;

    @Mixin
    private final LogOptions logs = new LogOptions();

    @Mixin
    private final ServeSecurity security = new ServeSecurity();

    @Mixin
    private final ServeCluster cluster = new ServeCluster();

    @Mixin
    private final ServeSettings settings = new ServeSettings();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        refuseServer();
        try {
            return serve(gateway(), options());
        } catch (CommandFailure refused) {
            throw root.located(refused, spec);
        }
    }

    /** Refuses {@code --server}, unless it comes from the environment, where it is meant for other commands. */
    private void refuseServer() {
        boolean typed = root.server()
                .filter(url -> !url.equals(root.console().environment().get("LOOPKEEPER_SERVER")))
                .isPresent();
        if (typed) {
            throw CommandFailure.refused("serve starts a server and takes no --server; pass --host and --port");
        }
    }

    /** Returns the content of the named configuration file; empty if none is named. */
    public Optional<SettingsFile> settingsFile() {
        return settings.read(spec);
    }

    /** Anyone on this machine uses a server without tokens. */
    private Session shared(Session session) {
        if (root.tokenFile().isEmpty()) {
            OpenServer.share(session.vertx());
        }
        return session;
    }

    private Integer serve(GatewayOptions serving, LoopkeeperOptions options) throws InterruptedException {
        Map<String, String> environment = root.console().environment();
        cluster.check(environment);
        if (settings.onlyChecks()) {
            return settings.check(root, spec, serving);
        }
        root.logServing();
        AtomicReference<String> url = new AtomicReference<>("");
        try (Session session = root.open();
                LocalRuntime folder = LocalRuntime.take(
                        shared(session),
                        root,
                        cluster.over(session.vertx(), options, environment, url::get),
                        serving,
                        Optional.empty())) {
            url.set(folder.url());
            root.console().print("Loopkeeper serves at " + folder.url());
            new CountDownLatch(1).await();
        }
        return ExitCodes.DONE;
    }

    private LoopkeeperOptions options() {
        LoopkeeperOptions options = LoopkeeperOptions.of(root.dataFolder().path())
                .inheriting(security.inherited())
                .scheduledIn(security.workspaces());
        if (maxRuns != null && maxRuns < 1) {
            throw CommandFailure.refused("--max-runs must be 1 or more, was " + maxRuns);
        }
        LoopkeeperOptions linking = publicUrl == null
                ? options
                : options.publicUrl(address(publicUrl).origin());
        return logs.over(maxRuns == null ? linking : linking.maxRuns(maxRuns));
    }

    /** Checks only the syntax: the proxy in front of this server need not run yet. */
    private static PublicAddress address(String text) {
        return PublicAddress.of(text)
                .orElseThrow(() -> CommandFailure.refused(
                        "--public-url must be an address without a path, such as https://loops.example, was " + text));
    }

    private GatewayOptions gateway() {
        if (port < 0 || port > MOST_PORTS) {
            throw CommandFailure.refused("--port must be 0 to " + MOST_PORTS + ", was " + port);
        }
        if (host.isBlank()) {
            throw CommandFailure.refused("--host must not be empty");
        }
        GatewayOptions here = GatewayOptions.loopback(port, root.dataFolder().path());
        GatewayOptions local = security.apply(here.on(host, root.tokenFile()));
        return publicUrl == null ? local : local.admitting(local.admission().reachedAt(address(publicUrl)));
    }
}
