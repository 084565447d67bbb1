// test: long
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';

const { HOME = '', XDG_CACHE_HOME = '' } = process.env;
const caseFolder = () => commandFolder({ HOME, XDG_CACHE_HOME });

const PROJECT = {
  'workflows/double.yaml': `trigger: { type: manual, config: { fields: [{ key: n, type: number, required: true }] } }
nodes: []
output: { twice: "{{ trigger.n * 2.0 }}" }
`,
  'workflows/pay.yaml': `nodes:
  - { id: call, type: action, appId: http, actionId: request, inputs: { url: "https://bank.example" } }
onFailureWorkflowId: "@workflow/on-failure"
`,
  'workflows/on-failure.yaml': `trigger: { type: manual, config: {} }
nodes:
  - { id: say, type: action, appId: core, actionId: set, inputs: { values: { why: "{{ int(trigger.execution.error.code) }}" } } }
  - { id: incident, type: action, appId: http, actionId: request, inputs: { url: "https://pager.example" } }
edges: [{ id: e, source: say, target: incident }]
`,
  'tests/double.yaml': `workflow: double
cases:
  - name: right
    input: { n: 2 }
    expect: { output: { twice: 4 } }
  - name: wrong <once>
    input: { n: 2 }
    expect:
      output:
        twice: 5
`,
  'tests/pay.yaml': `workflow: pay
cases:
  - name: the incident is reported
    mocks:
      call: { error: { code: HTTP_503, message: closed } }
      incident: { output: null }
    expect:
      status: FAILED
      calls:
        on-failure/incident: [{}]
`,
};

test('a failure has file, line and column, an error workflow says why it failed, and JUnit has the same', async () => {
  const { perdure, write, read } = caseFolder();
  write(PROJECT);
  const { code, stdout, stderr } = await perdure(['test', '--junit', 'report.xml']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^(preparing .*\n)?running 3 cases …\n$/),
  });
  expect(stdout).toContain('ok     double: right');
  expect(stdout).toMatch(/^ +tests\/double\.yaml:10:16: output\.twice: expected 5, saw 4$/m);
  expect(stdout).toMatch(/^ +tests\/pay\.yaml:10:30: calls\.on-failure\/incident: expected 1 calls, saw none$/m);
  expect(stdout).toMatch(/^ +tests\/pay\.yaml:\d+:\d+: on-failure ended FAILED at say: .*int/m);
  const junit = read('report.xml');
  expect(junit).toContain('<testsuites name="perdure test" tests="3" failures="2" errors="0" skipped="0"');
  expect(junit).toMatch(
    /<testcase name="wrong &lt;once&gt;" classname="double" file="tests\/double.yaml" line="6" time=/,
  );
  expect(junit).toContain(
    '<failure message="output.twice: expected 5, saw 4" type="expectation">tests/double.yaml:10:16:',
  );
}, 180_000);

test('--case takes an exact name, or else a part of names; an unknown one is refused before anything starts', async () => {
  const { perdure, write } = caseFolder();
  write({
    ...PROJECT,
    'tests/pay.yaml': PROJECT['tests/pay.yaml'].replace('the incident is reported', 'right or not'),
  });
  const exact = await perdure(['test', '--case', 'right', '--case', 'WRONG', '--json']);
  const { cases } = JSON.parse(exact.stdout);
  expect(cases).toMatchObject([
    { name: 'right', file: 'tests/double.yaml', line: 3, problems: [], places: [] },
    { name: 'wrong <once>', problems: ['output.twice: expected 5, saw 4'], places: ['tests/double.yaml:10:16'] },
  ]);
  expect(cases).toHaveLength(2);
  const none = await perdure(['test', '--case', 'absent']);
  expect(none).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/There is no case absent\. There are:\n {2}right\n/),
  });
}, 180_000);

test('--watch runs what a change affects on the same platform, outlives a broken file, and ends with Ctrl-C', async () => {
  const { folder, write } = caseFolder();
  write({ ...PROJECT, 'tests/double.yaml': PROJECT['tests/double.yaml'].replace('twice: 5', 'twice: 4') });
  const own = mkdtempSync(join(tmpdir(), 'perdure-watch-'));
  onTestFinished(async () => rmSync(own, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME: folder, TMPDIR: own };
  const command = [join(PROJECT_ROOT, 'dist/cli/main.js'), 'test', '--watch'];
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  let said = '';
  let look = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
      look();
    });
  }
  /** Resolves with what the command has printed up to this text, since the last call. */
  const until = (text: string) =>
    new Promise<string>((done, fail) => {
      look = () => {
        const at = said.indexOf(text);
        if (at < 0) return;
        const before = said.slice(0, at + text.length);
        said = said.slice(at + text.length);
        done(before);
      };
      child.once('exit', () => fail(new Error(`ended: ${said}`)));
      look();
    });
  const waiting = 'waiting for changes';
  const first = await until(waiting);
  expect(first).toContain('running 3 cases …');
  expect(first).toContain('2 passed, 1 failed');
  write({
    'workflows/on-failure.yaml': PROJECT['workflows/on-failure.yaml'].replace(
      'int(trigger.execution.error.code)',
      '1 + 1',
    ),
  });
  const second = await until(waiting);
  expect(second).toContain('running 1 case …');
  expect(second).toMatch(/ok {4} pay: the incident is reported.*1 passed, 0 failed/s);
  write({ 'workflows/double.yaml': 'nodes: [\n' });
  await until('workflows/double.yaml');
  write({ 'workflows/double.yaml': PROJECT['workflows/double.yaml'].replace('* 2.0', '* 3.0') });
  const third = await until(waiting);
  expect(third).toContain('running 2 cases …');
  expect(third).toContain('output.twice: expected 4, saw 6');
  child.kill('SIGINT');
  expect({ code: await ended, left: readdirSync(own) }).toEqual({ code: 0, left: [] });
}, 300_000);
