package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pure functions of the dashboard, run in a real browser. One server and one page for all. */
class PageModulesTest extends WithBrowser {
    private static final String MARKUP = "<img src=x onerror=window.hacked=1><script>window.hacked=2<\\/script>";

    private static GatewayFixture fixture;

    @BeforeAll
    static void serve(@TempDir Path data) {
        fixture = GatewayFixture.plain(data);
        browser.go("http://127.0.0.1:" + fixture.gateway.port() + "/");
        browser.sees("main", "There are no runs yet.");
    }

    @AfterAll
    static void end() {
        browser.driver.get("about:blank");
        fixture.close();
    }

    @Test
    void picturesAreMadeOfWhatIsKnown() {
        assertThat(browser.ofModule(
                        "items.js",
                        "const item = (item, ...dependsOn) => ({item, phase: 'p', dependsOn});"
                                + "return [it.inOrder([item('c', 'b'), item('b', 'a'), item('a'), item('x', 'y'), item('y', 'x'),"
                                + " item('z', 'none')]).map(each => each.item).join(''),"
                                + " it.attemptsOf({status: 'running', attempts: 2, history: [{attempt: 1, outcome: 'failed'}]})"
                                + ".map(each => each.attempt + each.outcome).join()]"))
                .isEqualTo("[\"abcyxz\",\"1failed,2running\"]");
        assertThat(browser.ofModule(
                        "cost.js",
                        "const unit = (at, costUsd) => ({from: at - 60000, at, costUsd, word: 'iteration'});"
                                + "const units = [unit(60000, 1), unit(120000, 2), unit(180000, 3)];"
                                + "const run = {usage: {costUsd: 7}, limits: {costUsd: 12, maxIterations: 5}, position: {iteration: 4, countedIterations: 3}};"
                                + "const at = second => new Date(second * 1000).toISOString();"
                                + "const step = (second, costUsd) => ['s' + second, {startedAt: at(second - 1), endedAt: costUsd && at(second), result: {costUsd}}];"
                                + "const steps = new Map([step(10, 1), step(20, 2), step(30, null)]);"
                                + "const iteration = (second, costUsd, ...steps) => ({startedAt: at(second), endedAt: steps.length ? null : at(second + 9), costUsd, steps});"
                                + "const iterations = [iteration(100, 2), iteration(110, 3), iteration(120, 1, {endedAt: at(125)}, {endedAt: null})];"
                                + "const curve = stepsBefore => it.curveOf(run, {iterations, steps, stepsBefore}, 40000).map(each => each.at / 1000 + ':' + each.sum).join();"
                                + "return [curve(null), curve(7), it.forecastOf(run, units),"
                                + " it.forecastOf({...run, limits: {}}, units), it.forecastOf(run, []),"
                                + " it.forecastOf({...run, usage: {costUsd: 13}}, units).units]"))
                .isEqualTo(
                        "[\"9:0,10:1,20:3,40:7\",\"100:1,109:3,119:6,125:7\",{\"units\":3,\"word\":\"iteration\",\"milliseconds\":180000,\"each\":2,"
                                + "\"limited\":true},null,null,0]");
        assertThat(browser.ofModule(
                        "cost.js",
                        "return [it.warnOf({limits: {costUsd: 10}}, {budget: {warnAt: 0.5}}), it.warnOf({limits: {costUsd: 10}}, null),"
                                + " it.warnOf({limits: {}}, null)]"))
                .isEqualTo("[5,8,null]");
        assertThat(
                        browser.ofModule(
                                "picture.js",
                                "const cells = Array.from({length: 1000}, (_, index) => ({sequence: index + 1}));"
                                        + "return [it.windowOf(cells, null), it.windowOf(cells, 300), it.windowOf(cells, 7), it.windowOf([], null)]"))
                .isEqualTo(
                        "[{\"from\":960,\"end\":1000},{\"from\":260,\"end\":300},{\"from\":0,\"end\":7},{\"from\":0,\"end\":0}]");
        assertThat(browser.ofModule(
                        "picture.js",
                        "const look = (endedAt, paused, verdict, ...steps) => it.lookOf({endedAt, paused, verdict, steps: steps.map(status => ({status}))});"
                                + "return [look('now', null, 'PROGRESS', 'completed'), look(null, null, 'PROGRESS', 'completed', 'running'),"
                                + " look('now', 'user_input_needed', 'PROGRESS', 'completed'), look(null, 'missing_signals', null, 'completed'),"
                                + " look(null, null, null, 'error'), look(null, null, null, 'cancelled'), look(null, null, null)]"
                                + ".map(({letter, kind, word}) => [letter, kind, word].join(' ')).join()"))
                .isEqualTo(
                        "\"P go progress,▸ go running,? act asked,∅ bad no signal,F bad failed,· slow cancelled,· none not over yet\"");
        assertThat(browser.ofModule(
                        "timeline.js",
                        "const step = (agent, status, startedAt, endedAt) => ({agent, status, phase: 'p', iteration: 1, item: null,"
                                + " startedAt: new Date(startedAt).toISOString(), endedAt: endedAt && new Date(endedAt).toISOString()});"
                                + "return [it.waitsOf([step('dev', 'error', 0, 10), step('dev', 'error', 40, 50)], {status: 'waiting'}, 70),"
                                + " it.waitsOf([step('dev', 'completed', 0, 10), step('gate', 'error', 10, 20), step('dev', 'completed', 20, 30),"
                                + " step('gate', 'running', 40, null)], {status: 'running'}, 70)]"))
                .isEqualTo("[[{\"lane\":\"dev\",\"from\":10,\"to\":40},{\"lane\":\"dev\",\"from\":50,\"to\":70}],[]]");
        String diff = "diff --git a/x.txt b/x.txt\\nindex 1..2 100644\\n--- a/x.txt\\n+++ b/x.txt\\n@@ -1,2 +1,2 @@\\n"
                + " same\\n-old\\n+" + MARKUP + "\\n";
        assertThat(browser.ofModule("diff.js", "return it.filesOf('" + diff + "').map(({lines, ...file}) => file)"))
                .isEqualTo("[{\"path\":\"x.txt\",\"insertions\":1,\"deletions\":1}]");
        assertThat(browser.ofModule(
                        "diff.js",
                        "const {render} = await import(base + 'lit-html.js');"
                                + "const details = {runId: 'r', steps: new Map(), diff: {stepId: null, text: '" + diff
                                + "', files: null}};"
                                + "const run = {runId: 'r', git: {branch: 'b', base: 'abc', head: 'def', files: 1, insertions: 1, deletions: 1}};"
                                + "const place = document.createElement('div'); document.body.append(place);"
                                + "render(it.diffTab({changed() {}}, run, details), place);"
                                + "const found = [place.querySelector('.plus').textContent.includes('<img src=x'),"
                                + " place.querySelectorAll('img, script').length, place.querySelectorAll('.diff-line').length, [...place.querySelectorAll('.at')].map(it => it.textContent).join()];"
                                + "place.remove(); return found;"))
                .isEqualTo("[true,0,4,\",,1,1,2,,,2\"]");
        // Names as git spells them, which a reader of the text alone could take for others.
        String hunk = "\\n@@ -0,0 +1 @@\\n+x\\n";
        assertThat(browser.ofModule(
                        "diff.js",
                        "const {render} = await import(base + 'lit-html.js');"
                                + "const names = ['\"two\\\\nlines <img src=x>\"', 'x b/y', 'plain'];"
                                + "const text = 'diff --git \"a/two\\\\nlines <img src=x>\" \"b/two\\\\nlines <img src=x>\""
                                + hunk
                                + "diff --git a/x b/y b/x b/y" + hunk + "';"
                                + "const files = names.map(path => ({path, insertions: 1, deletions: 0, binary: false}));"
                                + "const details = {runId: 'r', steps: new Map(), diff: {stepId: null, text, files, whole: '/api/v1/runs/r/diff?view=patch'}};"
                                + "const run = {runId: 'r', git: {branch: 'b', base: 'abc', head: 'def', files: 3, insertions: 3, deletions: 0}};"
                                + "const place = document.createElement('div'); document.body.append(place);"
                                + "render(it.diffTab({changed() {}}, run, details), place);"
                                + "const found = [[...place.querySelectorAll('summary b, li b')].map(each => each.textContent),"
                                + " place.querySelectorAll('img').length, place.querySelector('a[download]').getAttribute('href'), place.querySelectorAll('.file-list a').length];"
                                + "place.remove(); return found;"))
                .isEqualTo("[[\"\\\"two\\\\nlines <img src=x>\\\"\",\"x b/y\",\"plain\"],0,"
                        + "\"/api/v1/runs/r/diff?view=patch\",2]");
    }

    /** Else a step that ended while the page loaded would be shown as running for ever, and its log in place of the newest. */
    @Test
    void anEndThatAnEventBroughtOutlivesAnOlderAnswer() {
        assertThat(browser.ofModule(
                        "details.js",
                        "const at = second => '2026-01-02T00:00:0' + second + 'Z';"
                                + "const running = (stepId, second) => ({stepId, status: 'running', startedAt: at(second), endedAt: null});"
                                + "const details = new it.Details('r', () => {}); details.loadIterations = () => {};"
                                + "const event = (sequence, type, stepId, second) => details.apply("
                                + " {sequence, type, at: at(second), data: {stepId, result: {status: 'completed'}}});"
                                + "event(1, 'step.started', 'a.1', 1); event(2, 'step.finished', 'a.1', 2); event(3, 'step.started', 'b.1', 3);"
                                + "details.addSteps([running('z.1', 0), running('a.1', 1)]);"
                                + "const told = [...details.steps.values()].map(step => step.stepId + ' ' + step.status);"
                                + "details.addSteps([running('a.1', 4)]);"
                                + "return [...told, details.steps.get('a.1').status];"))
                .isEqualTo("[\"z.1 running\",\"a.1 completed\",\"b.1 running\",\"running\"]");
    }

    /** A snapshot of thousands of runs is not read in one task. */
    @Test
    void aLongSnapshotIsReadInParts() {
        assertThat(
                        browser.ofModule(
                                "feed.js",
                                "const odd = ['}', ']', '\"', '\\\\', '\\\\\"', '{\"runs\":[', 'é\\u2028'];"
                                        + "const sent = {type: 'snapshot', cursor: '7', runs: odd.map(name => ({name, deep: {list: [[name], {}]}})), last: [{}]};"
                                        + "const text = JSON.stringify(sent);"
                                        + "return [1, 2, 3, 7, 8].map(most => {"
                                        + " const parts = [...it.partsOf(text, most, 0)];"
                                        + " const whole = {...parts.at(-1), runs: parts.flatMap(part => part.runs)};"
                                        + " return parts.length + ' ' + parts.slice(0, -1).every(part => part.more) + ' ' + (JSON.stringify(whole) === text);"
                                        + "}).concat([...it.partsOf(text)].length, [...it.partsOf('{\"type\":\"snapshot\",\"cursor\":\"1\",\"runs\":[]}', 2, 0)]"
                                        + ".map(part => part.cursor + part.runs.length), it.protocols(''), it.protocols('é?>').join())"))
                .isEqualTo("[\"8 true true\",\"4 true true\",\"3 true true\",\"2 true true\",\"1 true true\",1,\"10\","
                        + "\"loopkeeper\",\"loopkeeper,loopkeeper.bearer.w6k_Pg\"]");
        assertThat(browser.ofModule(
                        "store.js",
                        "const lists = await import(base + 'lists.js');"
                                + "const run = (runId, startedAt, costUsd) => ({runId, startedAt, status: 'running', usage: {costUsd}});"
                                + "const store = it.newStore(); const first = lists.listed(store, 'all', '');"
                                + "it.learn(store, {...run('a', '2026-01-02T00:00:00Z', 1), sequence: 1, name: 'a'}); const second = lists.listed(store, 'all', '');"
                                + "it.apply(store, {runId: 'a', sequence: 2, type: 'notice', data: {}}); const third = lists.listed(store, 'all', '');"
                                + "return [first.going.length, second.going.length, second === third,"
                                + " lists.spentSince([run('a', '2026-01-02T00:00:00Z', 1), run('b', '2026-01-03T00:00:00Z', 2),"
                                + " run('c', '2026-01-03T00:00:01Z', null), run('d', '2026-01-04T00:00:00Z', 3)], '2026-01-03T00:00:00Z'),"
                                + " lists.spentSince([], '')]"))
                .isEqualTo("[0,1,true,5,null]");
    }

    @Test
    void itsTextsAreForPeople() {
        assertThat(
                        browser.ofModule(
                                "format.js",
                                "return [it.money(null), it.money(0), it.money(0.0012), it.duration(4700), it.duration(252000),"
                                        + " it.count(41000), it.shell(\"it's\"), it.verdict('STALLED').letter,"
                                        + " it.age('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:12:30Z')),"
                                        + " ...[[3, 3, 20], [4, 3, 20], [2, 2, null]].map(([iteration, countedIterations, maxIterations]) =>"
                                        + " it.where({position: {phase: 'build', iteration, countedIterations}, limits: {maxIterations}})),"
                                        + " it.where({position: {phase: 'p', item: 'f1'}}), it.where({position: {phase: 'p'}}), it.where({}),"
                                        + " it.command({session: {dataFolder: '/home/ann/.local/state/loopkeeper'}}, 'merge r'), it.command({session: {dataFolder: '/my data'}}, 'merge r')]"))
                .isEqualTo(
                        "[\"–\",\"$0.00\",\"$0.0012\",\"4.7 s\",\"4 m 12 s\",\"41k\",\"'it'\\\\''s'\",\"T\",\"12 min\","
                                + "\"build, iteration 3 of 20\",\"build, iteration 4, 3 of 20 used\",\"build, iteration 2\","
                                + "\"p, item f1\",\"p\",\"\",\"loopkeeper merge r\",\"loopkeeper merge r --data '/my data'\"]");
        assertThat(browser.ofModule(
                        "resume.js",
                        "const explain = {allowedActions: ['continue'], needs: [{field: 'maxIterations', type: 'integer',"
                                + " alternatives: [{field: 'feedback', type: 'text'}]}], accepts: [{field: 'budget.costUsd',"
                                + " type: 'number'}]};"
                                + "const form = {...it.emptyForm(), values: {maxIterations: '12', 'budget.costUsd': '5.5'},"
                                + " answers: ['', 'yes']};"
                                + "const body = it.bodyOf(explain, ['A?', 'B?'], form);"
                                + "const wrong = values => [...it.problemsOf({...explain, needs: [{field: 'maxIterations', type: 'integer',"
                                + " text: 'more; 0 is no limit', minimum: 7, suggested: 12}]}, [], {...it.emptyForm(), values}).values()].join();"
                                + "return [body, it.commandOf('r-1', body), [{maxIterations: ''}, {maxIterations: '6'}, {maxIterations: '0'},"
                                + " {maxIterations: '', force: true}, {}].map(wrong)]"))
                .isEqualTo("[{\"action\":\"continue\",\"feedback\":\"Question: B?\\nAnswer: yes\",\"maxIterations\":12,"
                        + "\"budget\":{\"costUsd\":5.5}},\"resume r-1 continue --feedback 'Question: B?\\nAnswer: yes'"
                        + " --max-iterations 12 --budget-usd 5.5\",[\"Enter at least 7.\","
                        + "\"6 is too low; the smallest value that works is 7.\",\"\",\"\",\"\"]]");
        assertThat(
                        browser.ofModule(
                                "routes.js",
                                "return [it.parse('#/runs/a%20b/steps/s.1?line=7'), it.parse(''), it.toStep('r', 's', 3), it.toStep('r', 's', 0), it.toRuns('all', '')]"))
                .contains(
                        "\"runId\":\"a b\"",
                        "\"stepId\":\"s.1\"",
                        "\"line\":\"7\"",
                        "\"view\":\"runs\"",
                        "#/runs/r/steps/s?line=3",
                        "#/runs/r/steps/s?line=0");
    }
}
