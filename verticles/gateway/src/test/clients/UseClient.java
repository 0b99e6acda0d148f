import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.model.EndRequest;
import org.openapitools.client.model.Manifest;
import org.openapitools.client.model.ManifestAgent;
import org.openapitools.client.model.ManifestLoop;
import org.openapitools.client.model.ManifestLoopStepsInner;
import org.openapitools.client.model.ManifestPhase;
import org.openapitools.client.model.ManifestSource;
import org.openapitools.client.model.ResumeAction;
import org.openapitools.client.model.ResumeAnswer;
import org.openapitools.client.model.ResumeRequest;
import org.openapitools.client.model.Run;
import org.openapitools.client.model.RunStatus;
import org.openapitools.client.model.StopRequest;
import org.openapitools.client.model.SubmitRequest;

/** Uses the generated client as a person would: {@code java UseClient URL WORKSPACE}. GeneratedClientsXIT compiles it. */
class UseClient {
    private static final String SLEEP =
            "name: sleepy\nagents: {s: {command: sleep 60, timeout: 5m}}\nphases: [{name: p, task: s}]\n";

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0] + "/api/v1");
        RunsApi api = new RunsApi(client);
        String workspace = arguments[1];

        ManifestAgent silent = new ManifestAgent()
                .command(List.of("sh", "-c", "echo hello"))
                .signal(".loopkeeper/{{runId}}.json")
                .timeout("1m");
        ManifestLoop loop = new ManifestLoop().addStepsItem(new ManifestLoopStepsInner("dev"));
        Manifest manifest = new Manifest()
                .name("generated")
                .putAgentsItem("dev", silent)
                .addPhasesItem(new ManifestPhase().name("build").loop(loop));
        String runId = api.startRun(submit(new ManifestSource(manifest), workspace), null)
                .getRunId();

        Run paused = api.getRun(runId, "1m", List.of());
        say("paused", paused.getStatus() + " " + paused.getPause().getReason());
        say("listed", api.listRuns(List.of(RunStatus.PAUSED), 10, null, null, null).getRuns().size());
        say("explained", api.explainRun(runId).getPause().getReason());
        ResumeAnswer dry = api.resumeRun(runId, null, new ResumeRequest().dryRun(true));
        say("dry", dry.getResumePreview().getAllowed());
        ResumeAnswer resumed = api.resumeRun(runId, "1m", new ResumeRequest().action(ResumeAction.RETRY_ITERATION));
        say("resumed", resumed.getResumedRun().getStatus());
        say("stopped", api.stopRun(runId, "1m", new StopRequest().reason("enough")).getStatus());

        String sleepy = api.startRun(submit(new ManifestSource(SLEEP), workspace), null)
                .getRunId();
        EndRequest end = new EndRequest().reason("halted").summary("the office closes");
        say("ended", api.endRun(sleepy, end, "1m").getTerminalExhaustion().getReasonCode());
    }

    private static SubmitRequest submit(ManifestSource manifest, String workspace) {
        return new SubmitRequest().manifest(manifest).workspace(workspace);
    }

    private static void say(String what, Object value) {
        System.out.println(what + ": " + value);
    }
}
