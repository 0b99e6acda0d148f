package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Activity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What two nodes ask each other, over the database alone. */
class NodeQueriesTest extends TwoNodes {
    private static final long LONG = Duration.ofMinutes(1).toMillis();
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "300"]}}
            phases: [{name: only, task: dev}]
            """;

    private static final String SPEAKER = """
            name: speaker
            agents: {dev: {command: 'echo working on it; exec sleep 300'}}
            phases: [{name: only, task: dev}]
            """;

    private NodeReply ask(String node, String channel, Object question, long patience) {
        String body = Json.MAPPER.valueToTree(question).toString();
        return other.ask(NodeChannels.ASK, new AskNode(node, channel, body, patience));
    }

    private <Q, A> A answer(RequestChannel<Q, A> channel, Q question) throws IOException {
        NodeReply reply = ask("n1", channel.address(), question, LONG);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo(NodeReply.Outcome.ANSWERED);
        return Json.MAPPER.readValue(reply.body(), channel.answer());
    }

    @Test
    void aNodeListsItsProcessesForAnotherAndEndsThemOnce() throws IOException {
        String runId = owner.submit(SLEEPER, nodes.workspace("a"));
        ListProcesses ofRun = new ListProcesses(Optional.of(runId));
        Awaitility.await()
                .until(() -> !answer(ProcessChannels.LIST, ofRun).processes().isEmpty());
        ProcessList answer = answer(ProcessChannels.LIST, ofRun);

        assertThat(answer).isEqualTo(owner.ask(ProcessChannels.LIST, ofRun));
        assertThat(other.ask(ProcessChannels.LIST, ofRun).processes()).isEmpty();
        OpenSteps open = answer(SchedulerChannels.OPEN_STEPS, new ListOpenSteps(Optional.of(runId)));
        assertThat(open.mayHold(runId, answer.processes().get(0).stepId())).isTrue();

        JsonNode receipt = other.ask(RunChannels.KILL, new KillRole(runId, "dev", true, "alice"))
                .document()
                .orElseThrow();
        assertThat(receipt.path("outcome").asText()).isEqualTo("gone");
        assertThat(receipt.path("by").asText()).isEqualTo("alice");
        Awaitility.await()
                .until(() -> answer(ProcessChannels.LIST, ofRun).processes().isEmpty());
        Refusal again = other.ask(RunChannels.KILL, new KillRole(runId, "dev", true))
                .refusal()
                .orElseThrow();
        assertThat(again.code()).isEqualTo(RefusalCode.NOT_FOUND);
        assertThat(again.message()).contains("no live process of role \"dev\"");
    }

    @Test
    void aNodeReportsTheActivityOfARunToAnother() throws IOException {
        String runId = owner.submit(SPEAKER, nodes.workspace("a"));
        Awaitility.await()
                .untilAsserted(() -> assertThat(answer(SchedulerChannels.ACTIVITY, new GetRun(runId))
                                .activity()
                                .map(Activity::text))
                        .contains("working on it"));
        RunActivity answer = answer(SchedulerChannels.ACTIVITY, new GetRun(runId));
        assertThat(answer.pids())
                .containsExactly(Map.entry(
                        answer.activity().orElseThrow().stepId(),
                        owner.ask(ProcessChannels.LIST, new ListProcesses(Optional.of(runId)))
                                .processes()
                                .get(0)
                                .pid()));
        assertThat(answer(SchedulerChannels.ACTIVITY, new GetRun("nope"))).isEqualTo(RunActivity.NOTHING);
    }

    @Test
    void anAbsentNodeIsSilentAndUnlistedRequestsAreRefused() {
        assertThat(ask("n9", ProcessChannels.LIST.address(), new ListProcesses(Optional.empty()), 300)
                        .outcome())
                .isEqualTo(NodeReply.Outcome.SILENT);
        assertThat(ask("n1", "loopkeeper.runs.settle", List.of(), LONG).outcome())
                .isEqualTo(NodeReply.Outcome.REFUSED);
        assertThat(ask("n1", ProcessChannels.REAP.address(), List.of("not a reap"), LONG)
                        .outcome())
                .isEqualTo(NodeReply.Outcome.REFUSED);
        awaitNothingLeft();
    }

    @Test
    void manyQuestionsAreEachAnsweredOnce() {
        String body =
                Json.MAPPER.valueToTree(new ListProcesses(Optional.empty())).toString();
        List<NodeReply> replies = IntStream.range(0, 200)
                .mapToObj(number -> NodeChannels.ASK.ask(
                        other.vertx().eventBus(),
                        new AskNode("n1", ProcessChannels.LIST.address(), body, LONG),
                        Duration.ofMillis(LONG)))
                .toList()
                .stream()
                .map(answer -> await(answer))
                .toList();

        assertThat(replies).allMatch(reply -> reply.outcome() == NodeReply.Outcome.ANSWERED);
        awaitNothingLeft();
    }

    private void awaitNothingLeft() {
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(nodes.database.ask("SELECT count(*) FROM requests WHERE node IS NOT NULL"))
                                .containsExactly("0"));
    }
}
