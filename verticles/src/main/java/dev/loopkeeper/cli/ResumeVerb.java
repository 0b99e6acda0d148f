package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loopkeeper resume RUN [ACTION]}. */
@Command(
        name = "resume",
        description = "Let a run go on. Without a server this process carries it out, as run does.",
        footer = {"", "What a resume needs is told by: loopkeeper explain RUN"})
final class ResumeVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "continue, retry_iteration, finish_loop, stop_loop_now, refine_plan or consult_reflection.")
    private String action;

    @Mixin
    private ResumeOptions options;

    @Option(names = "--dry-run", description = "Only tell what would be kept and what redone, and why.")
    private boolean dryRun;

    @Option(names = "--wait", description = "Wait until it pauses or has ended, and exit with its code.")
    private boolean wait;

    @Mixin
    private LogOptions logs;

    @Mixin
    private JsonOption json;

    ResumeVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Optional<Api> server = session.server();
            if (server.isPresent()) {
                return throughServer(server.get());
            }
            try (OwnFolder folder = OwnFolder.takeOver(session, root, run.id(), logs)) {
                return here(session, folder);
            }
        }
    }

    private int throughServer(Api api) {
        if (dryRun) {
            return preview(api);
        }
        FeedReader feed = wait ? FeedReader.open(api, Optional.of(run.id()), Optional.empty()) : null;
        JsonNode resumed = resume(api);
        if (wait) {
            return new Foreground(root, json.wanted()).follow(api, run.id(), feed);
        }
        if (json.wanted()) {
            root.console().print(JsonOption.pretty(resumed));
        } else {
            root.console().print(RunReport.headline(root.console(), resumed));
        }
        return ExitCodes.DONE;
    }

    private int here(Session session, OwnFolder folder) {
        Api api = folder.api();
        if (dryRun) {
            return preview(api);
        }
        FeedReader feed = FeedReader.open(api, Optional.of(run.id()), Optional.empty());
        String begun = folder.foreground(() -> begin(api));
        int code = new Foreground(root, json.wanted()).follow(api, begun, feed);
        new Guests(root, session).await();
        return code;
    }

    private String begin(Api api) {
        // A run whose runtime died goes on by the mere fact that somebody carries it out again.
        if (RunStates.going(api.get(Api.run(run.id())))) {
            root.console().warn(run.id() + " goes on from where it was");
        } else {
            resumeUnlessGoing(api);
        }
        return run.id();
    }

    /** One that was queued may have been started by now. */
    private void resumeUnlessGoing(Api api) {
        try {
            root.console().warn(RunReport.headline(root.console(), resume(api)));
        } catch (CommandFailure refused) {
            if (!RunStates.going(api.get(Api.run(run.id())))) {
                throw refused;
            }
        }
    }

    private JsonNode resume(Api api) {
        return api.post(Api.run(run.id()) + "/resume", body());
    }

    private ObjectNode body() {
        return options.body(Optional.ofNullable(action));
    }

    private int preview(Api api) {
        ObjectNode body = body().put("dryRun", true);
        JsonNode preview = api.post(Api.run(run.id()) + "/resume", body);
        boolean allowed = preview.path("allowed").asBoolean(true);
        if (json.wanted()) {
            root.console().print(JsonOption.pretty(preview));
        } else {
            root.console().print(allowed ? "it would go on" : "it would be refused");
            lines("missing", preview.path("missing"));
            lines("kept", preview.path("kept"));
            lines("redone", preview.path("redone"));
            root.console().print("  why: " + Words.oneLine(preview.path("why").asText()));
        }
        return allowed ? ExitCodes.DONE : ExitCodes.REFUSED;
    }

    private void lines(String word, JsonNode texts) {
        texts.forEach(text -> root.console().print("  " + word + ": " + Words.oneLine(text.asText())));
    }
}
