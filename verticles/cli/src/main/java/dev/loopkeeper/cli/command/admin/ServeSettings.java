package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Table;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.Setting;
import dev.loopkeeper.cli.session.SettingsFile;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.CannotServeException;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The configuration file of {@code serve}, and the check of the effective settings. */
final class ServeSettings {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file for options that neither the command line nor a variable sets.")
    private Path config;

    @Option(
            names = "--check",
            fallbackValue = "true",
            description = "Check the settings, print each with its source, start nothing; exit code 2 if one is wrong.")
    private boolean check;

    @Mixin
    private final JsonOption json = new JsonOption();

    Optional<SettingsFile> read(CommandSpec command) {
        return Optional.ofNullable(config).map(file -> SettingsFile.read(file, SettingsFile.options(command)));
    }

    boolean onlyChecks() {
        return check;
    }

    /** Prints the effective settings; refuses whatever {@code serve} would refuse, except an address in use. */
    int check(RootCommand root, CommandSpec command, GatewayOptions serving) {
        try (Session session = root.open()) {
            Session.await(new Gateway(serving).allowed(session.vertx()));
        } catch (CannotServeException refused) {
            throw CommandFailure.refused(placed(root.settings(command), refused.getMessage()));
        }
        List<Setting> settings = root.settings(command);
        if (json.wanted()) {
            root.console()
                    .print(JsonOption.pretty(
                            Json.MAPPER.createObjectNode().set("settings", Json.MAPPER.valueToTree(settings))));
        } else {
            table(settings).lines().forEach(root.console()::print);
        }
        return ExitCodes.DONE;
    }

    /** Prefixes the message with file and line if it names a path that a configuration file set. */
    private static String placed(List<Setting> settings, String message) {
        return settings.stream()
                .filter(each -> each.from().equals("file"))
                .filter(each -> Stream.of(each.value().orElse("").split(", |:"))
                        .anyMatch(path -> path.length() > 1 && path.startsWith("/") && message.contains(path)))
                .findFirst()
                .map(each -> each.where().orElseThrow() + ": " + each.key() + ": " + message)
                .orElse(message);
    }

    private static Table table(List<Setting> settings) {
        Table table = new Table("KEY", "VALUE", "FROM");
        for (Setting each : settings) {
            table.add(
                    each.key(),
                    each.value().map(Words::oneLine).orElse("-"),
                    each.where().orElse(each.from()));
        }
        return table;
    }
}
