// test: long
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { completeNames } from '../../cli/completeNames.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome } from '../setup/workspace/agentHome.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

interface Where {
  folder?: string;
  environment?: Record<string, string>;
  stdin?: string;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'perdure-cli-'));
  onTestFinished(async () => rmSync(made, { recursive: true, force: true }));
  return made;
}

function perdure(words: string[], { folder: cwd = folder(), environment = {}, stdin = '' }: Where = {}): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: cwd, ...environment };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(PROJECT_ROOT, 'dist/cli/main.js'), ...words],
      { cwd, env },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}

const as = ({ url, apiKey, projectId }: Pick<Home, 'url' | 'apiKey' | 'projectId'>) => ({
  environment: { PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId },
});

const ASKING = {
  slug: 'expense',
  trigger: { type: 'manual', config: { fields: [{ key: 'amount', type: 'number', required: true }] } },
  nodes: [{ id: 'ask', type: 'input', inputs: { title: 'Pay?', fields: [{ key: 'ok', type: 'boolean' }] } }],
  output: '{{ steps.ask.output.ok }}',
};

test('without a server the usage explains how to name one; a mistyped word gets a suggestion', async () => {
  const lost = await perdure(['whoami']);
  expect(lost).toMatchObject({ code: 2, stdout: '' });
  expect(lost.stderr).toContain('Set PERDURE_URL and PERDURE_API_KEY');
  const wrong = await perdure(['executoins']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Did you mean executions?');
  expect(await perdure(['run', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--no-answer') });
});

test('an invalid address or a missing path segment is a usage error; an empty variable counts as unset', async () => {
  const home = await makeHome();
  const { environment } = as(home);
  const nowhere = await perdure(['whoami'], { environment: { ...environment, PERDURE_URL: 'perdure' } });
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('perdure of PERDURE_URL and PERDURE_API_KEY'),
  });
  const login = await perdure(['login', '--url', 'localhost:3000'], { stdin: home.apiKey });
  expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining('not localhost:3000') });
  const pathless = await perdure(['api', 'getWorkflow', '--path', 'id=x'], as(home));
  expect(pathless).toMatchObject({ code: 2, stderr: expect.stringContaining('--path workflowId=… is required') });
  await home.deploy(ASKING as never);
  const anyProject = { environment: { ...environment, PERDURE_PROJECT: '' } };
  const listed = await perdure(['executions', 'list', '--json'], anyProject);
  expect(listed).toMatchObject({ code: 0, stdout: '[]\n' });
  const run = await perdure(['run', 'expense', '--input', '{"amount": 1}', '--no-answer', '--json'], anyProject);
  expect(run.code).toBe(10);
});

test('a project is chosen by its slug or name, and a wrong one is refused with those that exist', async () => {
  const home = await makeHome();
  await home.deploy(ASKING as never);
  const { body: other } = await home.api('POST', '/api/projects', { body: { name: 'Other desk', slug: 'other' } });
  const of = (project: string) => ({ environment: { ...as(home).environment, PERDURE_PROJECT: project } });
  for (const word of ['other', 'Other desk', other.id]) {
    const { code, stdout } = await perdure(['whoami', '--json'], of(word));
    expect([code, JSON.parse(stdout).projectId]).toEqual([0, other.id]);
  }
  const elsewhere = await perdure(['run', 'expense', '--project', 'other'], as(home));
  expect(elsewhere).toMatchObject({ code: 5, stderr: expect.stringContaining('No workflow expense') });
  const wrong = await perdure(['run', 'expense', '--project', 'othe'], as(home));
  expect(wrong).toMatchObject({ code: 5, stderr: expect.stringMatching(/No project othe\. There are: .*other/) });
});

test('a workflow is run to its question, answered, and watched to its end', async () => {
  const home = await makeHome();
  await home.deploy(ASKING as never);
  const asked = await perdure(['run', 'expense', '--input', '{"amount": 42.5}', '--no-answer', '--json'], as(home));
  expect(asked.code).toBe(10);
  const { executionId } = JSON.parse(asked.stdout);
  const listed = await perdure(['questions', 'list', '--json'], as(home));
  expect(JSON.parse(listed.stdout)).toMatchObject([{ executionId, nodeId: 'ask', title: 'Pay?' }]);
  const [row] = JSON.parse(
    (await perdure(['executions', 'list', '--status', 'needs_input', '--json'], as(home))).stdout,
  );
  const number = `#${row.executionNumber}`;
  // Without a terminal the output is lines of JSON, unless a single document is requested.
  const watch = ['executions', 'watch', number, '--no-answer'];
  const piped = await perdure(watch, as(home));
  expect(piped.code).toBe(10);
  const lines = piped.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({
      executionId,
      stepId: expect.any(String),
      at: expect.any(String),
      nodeId: 'ask',
      status: 'NEEDS_INPUT',
    }),
    { type: 'needsInput', executionId, nodeId: 'ask', title: 'Pay?' },
  ]);
  expect(JSON.parse((await perdure([...watch, '--json'], as(home))).stdout)).toEqual(lines[1]);
  const { environment } = as(home);
  const source = { environment: { ...environment, XDG_CACHE_HOME: folder() }, limitMs: 30_000 };
  expect(await completeNames('workflow', 'exp', source)).toEqual(['expense']);
  expect(await completeNames('execution', '', source)).toEqual([String(row.executionNumber)]);
  // The address is not retried for a minute; other addresses do not answer, and nothing is printed.
  const away = { environment: { ...source.environment, PERDURE_API_KEY: 'gone' }, limitMs: 30_000 };
  expect(await completeNames('workflow', '', away)).toEqual(['expense']);
  expect(await completeNames('agent', '', away)).toEqual([]);
  expect(await perdure(['questions', 'answer', number, '--set', 'ok=yes'], as(home))).toMatchObject({ code: 0 });
  const watched = await perdure(['executions', 'watch', number, '--jsonl'], as(home));
  expect(watched.code).toBe(0);
  const events = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'COMPLETED', output: true });
  const shown = await perdure(['executions', 'show', executionId], as(home));
  expect(shown.stdout).toContain('COMPLETED   ');
  expect(shown.stdout).toContain('output: true');
});

test('questions are listed of all executions, or of one by its number or id', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy(ASKING as never);
  const [first, second] = [
    await home.execute(workflowId, { amount: 1 }),
    await home.execute(workflowId, { amount: 2 }),
  ];
  for (const id of [first, second]) await home.asked(id, 'ask');
  const listed = async (...filter: string[]) => {
    const { stdout } = await perdure(['questions', 'list', ...filter, '--json'], as(home));
    return JSON.parse(stdout).map((question: { executionId: string }) => question.executionId);
  };
  expect(await listed()).toEqual([first, second]);
  expect(await listed('--execution', '#1')).toEqual([first]);
  expect(await listed('--execution', second)).toEqual([second]);
  expect(await perdure(['questions', 'list', '--execution', '4711'], as(home))).toMatchObject({ code: 5 });
});

test('exit codes: failed, cancelled, late and unknown executions, bad values, wrong key, no API', async () => {
  const home = await makeHome();
  await home.deploy({ ...ASKING, slug: 'asks' } as never);
  const failing = {
    id: 'f',
    type: 'action',
    appId: 'testing',
    actionId: 'fail',
    inputs: { message: 'broken', retryable: false },
  };
  await home.deploy({ slug: 'fails', trigger: { type: 'manual' }, nodes: [failing] } as never);
  expect((await perdure(['run', 'fails', '--follow'], as(home))).code).toBe(1);
  const input = ['--input', '{"amount": 1}'];
  const late = await perdure(['run', 'asks', ...input, '--wait', '300ms'], as(home));
  expect(late).toMatchObject({
    code: 9,
    stderr: expect.stringMatching(/Not finished within 300ms; still running: perdure/),
  });
  const lateToo = await perdure(['run', 'asks', ...input, '--wait', '300ms', '--json'], as(home));
  expect(lateToo.code).toBe(9);
  expect(JSON.parse(lateToo.stdout)).toEqual({ executionId: expect.any(String) });
  const { stdout } = await perdure(['run', 'asks', ...input], as(home));
  const cancelled = await perdure(['executions', 'cancel', stdout.trim(), '--wait'], as(home));
  expect(cancelled).toMatchObject({ code: 0, stdout: 'CANCELLED\n' });
  expect((await perdure(['executions', 'watch', stdout.trim()], as(home))).code).toBe(8);
  const failed = JSON.parse(
    (await perdure(['executions', 'list', '--status', 'failed', '--json'], as(home))).stdout,
  )[0];
  expect(await perdure(['executions', 'cancel', failed.id], as(home))).toMatchObject({
    code: 0,
    stdout: `${failed.id} has ended: FAILED\n`,
  });
  expect((await perdure(['run', 'nothing'], as(home))).code).toBe(5);
  const bad = await perdure(['run', 'asks', '--input', '{"amount": "much"}', '--json'], as(home));
  expect(bad.code).toBe(4);
  expect(JSON.parse(bad.stderr)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'inputData.amount' }] });
  const stranger = { environment: { ...as(home).environment, PERDURE_API_KEY: 'pk_wrong' } };
  expect((await perdure(['whoami'], stranger)).code).toBe(6);
  const away = { environment: { ...as(home).environment, PERDURE_URL: 'http://127.0.0.1:9' } };
  expect((await perdure(['whoami'], away)).code).toBe(7);
});

test('a queue is worked on by a command for each item', async () => {
  const home = await makeHome();
  const { body: queue } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'refunds', maxRetries: 0 },
  });
  for (const what of ['good', 'bad']) {
    expect(await perdure(['queue', 'add', 'refunds', JSON.stringify({ what })], as(home))).toMatchObject({ code: 0 });
  }
  const exec = `grep -q good || { echo "not good" >&2; exit 1; }`;
  const worked = await perdure(['queue', 'work', queue.id, '--exec', exec, '--until-empty', '--json'], as(home));
  expect(JSON.parse(worked.stdout)).toEqual({ completed: 1, failed: 1, lost: 0 });
  const failed = await perdure(['queue', 'items', 'refunds', '--status', 'failed', '--json'], as(home));
  const [item] = JSON.parse(failed.stdout);
  expect(item).toMatchObject({ status: 'FAILED', data: { what: 'bad' } });
  expect((await perdure(['queue', 'requeue', 'refunds', item.id], as(home))).stdout).toBe('PENDING\n');
});

test('after Ctrl-C a queue worker finishes its item and claims no other', async () => {
  const home = await makeHome();
  const { body: queue } = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'long' } });
  for (const what of [1, 2]) await home.api('POST', `/api/queues/${queue.id}/items`, { body: { data: { what } } });
  const cwd = folder();
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: cwd, ...as(home).environment };
  // The command ends once we write a line to the pipe.
  execFileSync('mkfifo', [join(cwd, 'goOn')]);
  const words = ['queue', 'work', queue.id, '--exec', 'echo begun; read line < goOn; echo done'];
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist/cli/main.js'), ...words], {
    ...{ cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = (stream: Readable, word: string) =>
    new Promise<void>((resolve) => {
      let all = '';
      stream.on('data', (chunk) => {
        all += String(chunk);
        if (all.includes(word)) resolve();
      });
    });
  const ended = once(child, 'close');
  const claimsNoMore = heard(child.stderr, 'No more items are claimed');
  const counted = heard(child.stdout, 'done\n1 completed, 0 failed, 0 lost');
  await heard(child.stdout, 'begun');
  // Like a terminal, which signals all processes in the foreground.
  process.kill(-(child.pid as number), 'SIGINT');
  await claimsNoMore;
  writeFileSync(join(cwd, 'goOn'), 'go on\n');
  await counted;
  expect(await ended).toEqual([130, null]);
  const { body: items } = await home.api('GET', `/api/queues/${queue.id}/items`);
  expect(items.items.map(({ status }: { status: string }) => status).sort()).toEqual(['COMPLETED', 'PENDING']);
});

test('a turn that fails ends a message with 1; --json is one document', async () => {
  const home = await makeAgentHome();
  const here = as(home as never);
  const chat = (...more: string[]) => perdure(['agent', 'chat', home.agentId, '--message', 'Hello', ...more], here);
  home.provider.answer([{ status: 400, error: { message: 'No.' } }]);
  expect(await chat()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('PROVIDER_STATUS') });
  home.provider.answer([{ status: 400, error: { message: 'No.' } }], say('Good ', 'day'));
  const failed = await chat('--json');
  expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { text: '', approvals: [] }]);
  expect(JSON.parse(failed.stdout).error).toContain('PROVIDER_STATUS');
  const said = await chat('--json');
  const { taskId, ...document } = JSON.parse(said.stdout);
  expect([said.code, document]).toEqual([0, { text: 'Good day', approvals: [] }]);
  expect(said.stderr).toContain(taskId);
  home.provider.answer([{ text: 'Half' }, { disconnect: true }], say('Whole'));
  expect(await chat()).toMatchObject({ code: 0, stdout: 'Half\nWhole\n' });
});

test('an agent answers a message; any operation can be called by its name', async () => {
  const home = await makeAgentHome();
  home.provider.answer(say('Good day'));
  const here = as(home as never);
  const said = await perdure(['agent', 'chat', home.agentId, '--message', 'Hello'], here);
  expect(said).toMatchObject({ code: 0, stdout: 'Good day\n' });
  const listed = await perdure(['api', 'listAgents', '--query', 'limit=1', '--query', 'expansion=slug'], here);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: home.agentId }]);
  expect((await perdure(['api', 'getWorkflow'], here)).stderr).toContain('--path workflowId=… is required');
});

test('stores a key as a context that only its user can read; a folder of a running Perdure needs none', async () => {
  const home = await makeHome();
  const here = folder();
  const { url, apiKey } = home;
  const login = await perdure(['login', '--url', url, '--name', 'here'], { folder: here, stdin: `${apiKey}\n` });
  expect(login.code).toBe(0);
  expect(statSync(join(here, 'perdure/config.json')).mode & 0o777).toBe(0o600);
  const me = await perdure(['whoami', '--json'], { folder: here });
  expect(JSON.parse(me.stdout)).toMatchObject({ workspace: { id: home.workspaceId } });
  expect(me.stdout + me.stderr + login.stdout + login.stderr).not.toContain(apiKey);
  expect(await perdure(['pull'], { folder: here })).toMatchObject({ code: 0, stdout: 'Nothing has changed.\n' });
  await home.api('POST', '/api/projects', { body: { name: 'Second' } });
  const which = await perdure(['pull'], { folder: here });
  expect(which).toMatchObject({ code: 2, stderr: expect.stringContaining(`${home.projectId}  `) });
  expect(which.stderr).toContain('Second');
  const other = folder();
  mkdirSync(join(other, '.perdure/deeper'), { recursive: true });
  const credentials = { url, apiKey, projectId: home.projectId };
  writeFileSync(join(other, '.perdure/credentials.json'), JSON.stringify(credentials));
  const local = await perdure(['login', '--name', 'local'], { folder: join(other, '.perdure/deeper') });
  expect(local).toMatchObject({ code: 0, stderr: '' });
  const kept = JSON.parse(readFileSync(join(other, '.perdure/deeper/perdure/config.json'), 'utf8'));
  expect(kept).toMatchObject({ current: 'local', contexts: { local: credentials } });
  expect(await perdure(['login'], { stdin: apiKey })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url is required'),
  });
  const checked = await perdure(['doctor'], { folder: other });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('✓  API key') });
});

test('pulls, plans, changes and applies a project, and rejects an outdated plan', async () => {
  const home = await makeHome();
  const here = { ...as(home), folder: folder() };
  await home.deploy({ ...ASKING, name: 'Expense' } as never);
  expect(await perdure(['pull'], here)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('wrote workflows/expense.yaml'),
  });
  const file = join(here.folder, 'workflows/expense.yaml');
  writeFileSync(file, `# Asked by finance\n${readFileSync(file, 'utf8')}`);
  expect(await perdure(['pull'], here)).toMatchObject({ code: 0, stdout: 'Nothing has changed.\n' });
  expect(readFileSync(file, 'utf8')).toContain('# Asked by finance');
  expect((await perdure(['apply', '--yes'], here)).code).toBe(0);
  expect((await perdure(['plan'], here)).code).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Pay?', 'Shall we pay?'));
  const planned = await perdure(['plan', '--out', 'plan.json'], here);
  expect(planned).toMatchObject({ code: 2, stdout: expect.stringContaining('~ workflow expense') });
  expect((await perdure(['apply'], here)).code).toBe(2);
  expect(await perdure(['apply', 'plan.json'], here)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Applied.'),
  });
  expect((await perdure(['apply', 'plan.json'], here)).code).toBe(3);
  writeFileSync(join(here.folder, 'perdure.yaml'), 'environment: [WHOM]\n');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Shall we pay?', `Pay ${'$'}{env:WHOM}?`));
  expect(await perdure(['plan'], here)).toMatchObject({ code: 4, stderr: expect.stringContaining('WHOM') });
  writeFileSync(file, readFileSync(file, 'utf8').replace('type: input', 'type: inptu'));
  const wrong = await perdure(['plan'], { ...here, environment: { ...here.environment, WHOM: 'Ada' } });
  expect(wrong).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/workflows\/expense\.yaml:\d+:\d+: nodes\[0\]\.type/),
  });
  const known = { ...here, environment: { ...here.environment, WHOM: 'Ada' } };
  const said = await perdure(['validate', '--remote', '--json'], known);
  expect(said.code).toBe(4);
  const { problems } = JSON.parse(said.stdout);
  expect(problems).toMatchObject([{ file: 'workflows/expense.yaml', path: 'nodes[0].type' }]);
  const offline = await perdure(['validate', '--json'], { folder: here.folder, environment: { WHOM: 'Ada' } });
  expect(JSON.parse(offline.stdout).problems).toEqual(problems);
  mkdirSync(join(here.folder, 'queues'));
  writeFileSync(join(here.folder, 'queues/paid.yaml'), 'name: Paid\n');
  writeFileSync(
    join(here.folder, 'workflows/new.yaml'),
    'nodes: [{ id: note, type: action, appId: core, actionId: set, inputs: { values: { n: 1 } } }]\n',
  );
  writeFileSync(file, readFileSync(file, 'utf8').replace('type: inptu', 'type: input'));
  const created = await perdure(['plan'], known);
  expect(created.stdout).toContain('+ queue paid\n    name: "Paid"\n');
  expect(created.stdout).toContain('+ workflow new\n    name: "new"\n');
  expect(created.stdout).toContain('    nodes:\n      +- id: note\n      +  type: action\n');
  rmSync(join(here.folder, 'queues'), { recursive: true });
  rmSync(join(here.folder, 'workflows/new.yaml'));
  expect(await perdure(['validate', '--remote'], known)).toMatchObject({ code: 0, stdout: '1 file is valid.\n' });
});

test('a missing or empty folder deletes nothing, and only a plan file is accepted', async () => {
  const home = await makeHome();
  const here = { ...as(home), folder: folder() };
  await home.deploy(ASKING as never);
  expect((await perdure(['pull', 'project'], here)).code).toBe(0);
  expect((await perdure(['apply', 'project', '--yes'], here)).code).toBe(0);
  mkdirSync(join(here.folder, 'empty'));
  const refused = (why: string) => ({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
  const absent = refused('There is no projcet: expected workflows/<slug>.yaml');
  expect(await perdure(['apply', 'projcet', '--delete', '--yes'], here)).toMatchObject(absent);
  expect(await perdure(['plan', 'projcet'], here)).toMatchObject(absent);
  const empty = refused('empty contains no project files');
  expect(await perdure(['apply', 'empty', '--delete', '--yes'], here)).toMatchObject(empty);
  expect((await perdure(['plan', 'empty'], here)).code).toBe(0);
  writeFileSync(join(here.folder, 'broken.json'), '{');
  writeFileSync(join(here.folder, 'package.json'), '{"name": "refunds"}');
  for (const name of ['broken.json', 'package.json']) {
    const no = { code: 2, stderr: expect.stringContaining(`${name} is not a plan`) };
    expect(await perdure(['apply', name, '--yes'], here)).toMatchObject(no);
  }
  expect(await perdure(['plan', 'project', '--delete'], here)).toMatchObject({ code: 0 });
});
