package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ErrorRules;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaudeTasksTest {
    private static final String STARTED = system("task_started", "\"task_id\":\"b1\",\"is_backgrounded\":true");
    private static final String RESULT =
            "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\",\"num_turns\":1}\n";

    private final AgentOutputReader reader = AgentOutput.reader(OutputDialect.CLAUDE_CODE, ErrorRules.builtIn());

    private static String system(String subtype, String fields) {
        return "{\"type\":\"system\",\"subtype\":\"" + subtype + "\"," + fields + "}\n";
    }

    private boolean succeedsAfter(String output) {
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        reader.stdout(bytes, 0, bytes.length);
        return reader.hasSucceeded();
    }

    private AgentReport finish(ExitFacts exit) {
        return reader.finish(exit, Instant.EPOCH, ZoneOffset.UTC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'system','subtype':'task_started','task_id':'a'}",
                "{'type':'system','subtype':'background_tasks_changed','tasks':[{'task_id':'a','status':'running'}]}",
                "{'type':'system','subtype':'background_tasks_changed','tasks':[{'task_id':'a','task_type':'local_bash'}]}"
            })
    void aResultBesideAnOpenTaskIsNotFinalUntilTheNextOne(String opening) {
        String closed = system("background_tasks_changed", "\"tasks\":[]");

        assertThat(succeedsAfter(opening.replace('\'', '"') + "\n" + RESULT)).isFalse();
        assertThat(succeedsAfter(closed)).isFalse();
        assertThat(succeedsAfter(RESULT)).isTrue();
    }

    @Test
    void aTaskThatBeginsAfterTheResultKeepsItOpen() {
        assertThat(succeedsAfter(RESULT)).isTrue();
        assertThat(succeedsAfter(STARTED)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'system','subtype':'task_notification','task_id':'b1','status':'completed'}",
                "{'type':'system','subtype':'task_updated','task_id':'b1','patch':{'status':'killed'}}",
                "{'type':'system','subtype':'background_tasks_changed','tasks':[{'task_id':'b1','status':'failed'}]}",
                "{'type':'system','subtype':'background_tasks_changed','tasks':[{'task_id':'x','ambient':true}]}"
            })
    void aResultAfterTheEndOfTheTasksIsFinal(String ended) {
        assertThat(succeedsAfter(STARTED + ended.replace('\'', '"') + "\n" + RESULT))
                .isTrue();
        assertThat(finish(Exits.exited(0)).finalRecord()).isTrue();
        assertThat(reader.notices()).isEmpty();
    }

    @Test
    void aTaskInTheForegroundIsNotOpen() {
        assertThat(succeedsAfter(STARTED.replace("true", "false") + RESULT)).isTrue();
    }

    @Test
    void anExitEndsTheOpenTasksAndSaysSo() {
        assertThat(succeedsAfter(STARTED + RESULT)).isFalse();

        assertThat(Exits.succeeded(finish(Exits.exited(0)))).isTrue();
        assertThat(reader.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.code()).isEqualTo("background-tasks-ended");
            assertThat(notice.message()).contains("b1");
        });
    }

    @Test
    void aLimitOrSignalDuringOpenTasksIsNoSuccess() {
        assertThat(succeedsAfter(STARTED + RESULT)).isFalse();
        AgentReport idle = finish(Exits.endedByLoopkeeper(ErrorKind.IDLE, OptionalInt.of(143)));
        assertThat(idle.finalRecord()).isFalse();
        assertThat(idle.summary().error().orElseThrow().kind()).isEqualTo("idle");

        assertThat(finish(Exits.exited(137)).summary().termination()).isEqualTo("error_crashed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLAUDE_CODE {'type':'result','subtype':'success','result':'ok','permission_denials':"
                        + "[{'tool_name':'Bash'},{'tool_name':'Bash'},{'tool_name':'Edit'}]} "
                        + "permission-denied 3 permissions: Bash, Edit;",
                "CLAUDE_CODE {'type':'result','subtype':'error_max_turns','is_error':true,'permission_denials':"
                        + "[{'tool_name':'Bash'}]} permission-denied 1 permission: Bash;",
                "CLAUDE_CODE {'type':'result','subtype':'success','num_turns':0,'result':''} empty-result 0 turns",
                "OPENCODE {'type':'done','rejected':['bash: make']} permission-denied 1 permission: bash: make;",
                "OPENCODE {'type':'done','rejected':[{'permission':'edit'}]} permission-denied edit;"
            })
    void reportsWhatAResultLeavesInDoubt(String sample) {
        String[] parts = sample.split(" ", 2);
        int end = parts[1].lastIndexOf('}') + 1;
        String[] expected = parts[1].substring(end).strip().split(" ", 2);
        AgentOutputReader any = AgentOutput.reader(OutputDialect.valueOf(parts[0]), ErrorRules.builtIn());
        byte[] bytes = parts[1].substring(0, end).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        any.stdout(bytes, 0, bytes.length);
        AgentReport report = any.finish(Exits.exited(0), Instant.EPOCH, ZoneOffset.UTC);

        assertThat(report.finalRecord()).isTrue();
        assertThat(any.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.code()).isEqualTo(expected[0]);
            assertThat(notice.message()).contains(expected[1]);
        });
    }

    @Test
    void forgetsNoTaskAndHoldsAThousandAtMost() {
        StringBuilder many = new StringBuilder();
        for (int task = 0; task < 3_000; task++) {
            many.append(system("task_started", "\"task_id\":\"" + "x".repeat(500) + task + "\""));
        }
        assertThat(succeedsAfter(many + RESULT)).isFalse();
        assertThat(Exits.succeeded(finish(Exits.exited(0)))).isTrue();
        assertThat(reader.notices().get(0).message()).hasSizeLessThan(700);
    }
}
