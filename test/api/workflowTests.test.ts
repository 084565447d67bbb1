// test: long
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { makeHome } from '../setup/workspace/home.ts';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the compiled command in the folder, with nothing of this user except the cache of binaries. */
function perdure(folder: string, words: string[], environment: Record<string, string> = {}): Promise<Ran> {
  const { PATH = '', HOME = '', XDG_CACHE_HOME = '' } = process.env;
  const env = { PATH, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME: folder, ...environment };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(PROJECT_ROOT, 'dist/cli/main.js'), ...words],
      { cwd: folder, env, maxBuffer: 10_000_000, timeout: 120_000 },
      (error, stdout, stderr) => done({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** Writes JSON, because YAML is a superset of it. */
function folderOf(files: Record<string, unknown>): string {
  const made = mkdtempSync(join(tmpdir(), 'perdure-cases-'));
  onTestFinished(async () => rmSync(made, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), JSON.stringify(content));
  }
  return made;
}

const call = (id: string, more: object = {}) => ({
  ...{ id, type: 'action', appId: 'http', actionId: 'request', inputs: { url: `https://${id}.example` } },
  ...more,
});
const edge = (source: string, target: string, sourceHandle?: string) => ({
  ...{ id: `${source}-${target}`, source, target },
  ...(sourceHandle === undefined ? {} : { sourceHandle }),
});

const EXPENSE = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a pulled folder has it
  trigger: { id: 'trigger', type: 'webhook', config: { secret: '${env:NEVER_SET}' } },
  nodes: [
    call('fetch', { retry: { maximumAttempts: 3, initialIntervalMs: 60_000 } }),
    {
      ...{ id: 'approval', type: 'input' },
      inputs: { fields: [{ key: 'approved', type: 'boolean', required: true }], expiresInMs: 30 * 86_400_000 },
    },
    call('pay', {
      ...{ connectionId: '@connection/bank', onError: 'route' },
      inputs: { method: 'POST', url: 'https://bank.example', body: { amount: '{{ trigger.body.amount }}' } },
    }),
    { id: 'note', type: 'action', appId: 'core', actionId: 'set', inputs: { values: { later: true } } },
  ],
  edges: [edge('fetch', 'approval'), edge('approval', 'pay'), edge('pay', 'note', 'error')],
  output: { refund: '{{ trigger.body.amount }}', limit: '{{ variables.limit }}', at: '{{ now }}' },
  onFailureWorkflowId: '@workflow/alarm',
};
const ALARM = {
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [call('tell')],
  edges: [],
};
const YEAR = {
  nodes: [
    { id: 'months', type: 'repeat', inputs: { times: 12 } },
    { id: 'wait', type: 'delay', parentId: 'months', inputs: { forMs: (365 * 86_400_000) / 12 } },
    {
      ...{ id: 'date', type: 'action', appId: 'code', actionId: 'javascript' },
      inputs: { code: 'return new Date().toISOString()' },
    },
  ],
  edges: [edge('months', 'date')],
  output: '{{ steps.date.output }}',
};
const EACH = {
  trigger: { id: 'trigger', type: 'manual', config: { fields: [{ key: 'names', type: 'json', required: true }] } },
  nodes: [
    { id: 'each', type: 'forEach', inputs: { items: '{{ trigger.names }}', onItemError: 'continue' } },
    call('greet', { parentId: 'each', inputs: { url: 'https://a.example', query: { name: '{{ loop.item }}' } } }),
    { id: 'sub', type: 'runWorkflow', inputs: { workflowId: '@workflow/year' } },
  ],
  edges: [edge('each', 'sub')],
  output: '{{ steps.sub.output }}',
};
const FOREVER = {
  nodes: [
    {
      ...{ id: 'ask', type: 'input' },
      inputs: { approvals: 2, submitters: 'members', fields: [{ key: 'ok', type: 'boolean', required: true }] },
    },
  ],
  edges: [],
};
const TRIAGE = {
  trigger: { id: 'trigger', type: 'manual', config: { fields: [{ key: 'messages', type: 'json', required: true }] } },
  nodes: [
    { id: 'each', type: 'forEach', inputs: { items: '{{ trigger.messages }}' } },
    {
      ...{ id: 'ask', type: 'action', appId: 'agent', actionId: 'run', parentId: 'each' },
      inputs: { agentId: '@agent/desk', message: '{{ loop.item }}' },
      retry: { maximumAttempts: 2, initialIntervalMs: 60_000 },
    },
    {
      ...{ id: 'kind', type: 'action', appId: 'core', actionId: 'set', parentId: 'each' },
      inputs: { values: { kind: '{{ steps.ask.output.text }}' } },
    },
    {
      id: 'sum',
      type: 'action',
      appId: 'agent',
      actionId: 'run',
      inputs: { agentId: '@agent/desk', message: 'Sum up' },
    },
  ],
  edges: [edge('ask', 'kind'), edge('each', 'sum')],
  output: { kinds: '{{ steps.each.output }}', sum: '{{ steps.sum.output.text }}' },
};
const PROJECT = {
  'workflows/forever.yaml': FOREVER,
  'workflows/expense.yaml': EXPENSE,
  'workflows/alarm.yaml': ALARM,
  'workflows/year.yaml': YEAR,
  'workflows/each.yaml': EACH,
  'workflows/triage.yaml': TRIAGE,
  'agents/desk.yaml': { model: 'gpt-5-mini', instructions: 'Sort.' },
  'variables.yaml': [{ slug: 'limit', value: 1 }],
};
const MOCKS = { fetch: { output: 1 }, pay: { output: { id: 'p1' } }, tell: { output: null } };
const NOW = '2026-01-05T09:00:00Z';
const INPUT = { body: { amount: 42.5 } };
const ANSWER = { at: 'approval', after: '3d', answer: { approved: true } };

interface Report {
  passed: number;
  failed: number;
  cases: { name: string; status: string; problems: string[]; durationMs: number }[];
  coverage: Record<string, object>;
}

test('cases run on the interpreter by a clock of their own, and each says what was expected and seen', async () => {
  const later = [{ error: { code: 'HTTP_502', message: 'away', retryable: true } }, { output: 1 }];
  const folder = folderOf({
    ...PROJECT,
    'tests/expense.yaml': {
      workflow: 'expense',
      cases: [
        {
          ...{ name: 'approved', input: INPUT, now: NOW, variables: { limit: 100 } },
          ...{ mocks: { ...MOCKS, fetch: later }, events: [ANSWER, { after: '10d', cancel: true }] },
          expect: {
            ...{ status: 'COMPLETED', path: ['fetch', 'approval', 'pay'] },
            output: { refund: 42.5, limit: 100, at: '2026-01-08T09:01:00.000Z' },
            calls: { pay: [{ body: { amount: 42.5 } }], fetch: [{}], tell: [] },
            checks: ['steps.fetch.attempt == 2', "duration == duration('72h1m')"],
          },
        },
        {
          ...{ name: 'cancelled', input: INPUT, mocks: MOCKS, events: [{ after: '1d', cancel: true }] },
          expect: { status: 'CANCELLED', checks: ["duration == duration('24h')"], calls: { tell: [] } },
        },
        {
          ...{ name: 'expired', input: INPUT, mocks: MOCKS },
          expect: { status: 'FAILED', calls: { tell: [{}] }, checks: ["error.code == 'INPUT_EXPIRED'"] },
        },
        { name: 'asked', input: INPUT, mocks: MOCKS, expect: { status: 'NEEDS_INPUT' } },
        {
          ...{ name: 'routed', input: INPUT, mocks: { ...MOCKS, pay: { error: { code: 'HTTP_503', message: 'no' } } } },
          ...{ events: [ANSWER], expect: { path: ['fetch', 'approval', 'pay', 'note'] } },
        },
        { name: 'unmocked', input: INPUT, mocks: { fetch: { output: 1 }, tell: { output: 1 } }, events: [ANSWER] },
        { name: 'wrong answer', input: INPUT, mocks: MOCKS, events: [{ at: 'approval', answer: { approved: 'x' } }] },
        {
          ...{ name: 'otherwise', input: INPUT, mocks: MOCKS, events: [ANSWER] },
          expect: { output: { refund: 1, limit: 1 }, calls: { pay: [] } },
        },
      ],
    },
    'tests/loops.yaml': {
      workflow: 'each',
      cases: [
        {
          ...{ name: 'iterations', input: { names: ['a', 'b', 'c'] }, now: NOW },
          mocks: { greet: { output: 1 }, 'greet[1]': { error: { code: 'HTTP_404', message: 'none' } } },
          expect: {
            output: '2027-01-05T09:00:00.000Z',
            calls: { greet: [{ query: { name: 'a' } }, { query: { name: 'b' } }, { query: { name: 'c' } }], sub: [{}] },
            checks: ["duration == duration('8760h')", 'size(calls.greet) == 3'],
          },
        },
      ],
    },
    'tests/triage.yaml': {
      workflow: 'triage',
      cases: [
        {
          ...{ name: 'agents', input: { messages: ['a', 'b'] } },
          mocks: {
            ask: [{ error: { code: 'MODEL_AWAY', message: 'later', retryable: true } }, { output: { text: 'praise' } }],
            'ask[1]': { output: { text: 'complaint' } },
            sum: { output: { text: 'mixed' } },
          },
          expect: {
            output: { kinds: [{ kind: 'praise' }, { kind: 'complaint' }], sum: 'mixed' },
            calls: { ask: [{ message: 'a' }, { message: 'b' }], sum: [{ message: 'Sum up' }] },
            checks: ["duration == duration('1m')"],
          },
        },
        { name: 'no agent runs', input: { messages: ['a'] }, mocks: { ask: { output: { text: 'x' } } } },
      ],
    },
    'tests/forever.yaml': {
      workflow: 'forever',
      cases: [
        { name: 'one of two', events: [{ at: 'ask', answer: { ok: true } }] },
        {
          ...{ name: 'two', now: NOW, expect: { checks: ["duration == duration('48h')"] } },
          events: [
            { at: 'ask', after: '1h', answer: { ok: true } },
            { at: 'ask', after: '2d', answer: { ok: true } },
          ],
        },
      ],
    },
    'tests/year.yaml': {
      workflow: 'year',
      cases: [{ name: 'a year', now: NOW, expect: { output: '2027-01-05T09:00:00.000Z' } }],
    },
  });
  const { code, stdout, stderr } = await perdure(folder, ['test', '--json']);
  expect({ code, stderr: code === 1 ? '' : stderr }).toEqual({ code: 1, stderr: '' });
  const { cases, coverage, passed, failed } = JSON.parse(stdout) as Report;
  const problems = Object.fromEntries(cases.map((each) => [each.name, each.problems]));
  expect(problems).toEqual({
    ...{
      agents: [],
      approved: [],
      cancelled: [],
      expired: [],
      asked: [],
      routed: [],
      iterations: [],
      'a year': [],
      two: [],
    },
    'one of two': [expect.stringMatching(/^status: expected COMPLETED, saw NEEDS_INPUT/)],
    'no agent runs': expect.arrayContaining([expect.stringMatching(/^UNMOCKED: sum calls agent\.run/)]),
    unmocked: expect.arrayContaining([expect.stringMatching(/^UNMOCKED: pay calls http\.request/)]),
    'wrong answer': expect.arrayContaining([expect.stringMatching(/^events\[0\]: .*approved/)]),
    otherwise: expect.arrayContaining([
      'output.refund: expected 1, saw 42.5',
      expect.stringMatching(/^output\.at: not expected/),
      expect.stringMatching(/^calls\.pay: expected 0 calls, saw 1/),
    ]),
  });
  expect({ passed, failed }).toEqual({ passed: 9, failed: 5 });
  expect(coverage).toMatchObject({
    expense: { nodes: 4, nodesRun: 4, edges: 2, edgesTaken: 2, errorRoutes: 1, errorRoutesTaken: 1 },
    each: { nodes: 3, nodesRun: 3 },
    year: { nodes: 3, nodesRun: 3 },
  });
}, 180_000);

test('cases with variables of their own share the entity types and knowledge bases of the workspace', async () => {
  const folder = folderOf({
    'objectTypes/claim.yaml': { name: 'Claim', attributeSchema: { type: 'object', properties: { total: {} } } },
    'workflows/limit.yaml': { nodes: [], output: '{{ variables.LIMIT }}' },
    'variables.yaml': [{ slug: 'LIMIT', value: 1 }],
    'tests/limit.yaml': {
      workflow: 'limit',
      cases: [10, undefined, 20, 30].map((limit) => ({
        name: `of ${limit}`,
        ...(limit === undefined ? {} : { variables: { LIMIT: limit } }),
        expect: {
          output: limit ?? 1,
          checks: ["json(error) == 'null'", "upper('a') + string(output) == 'A' + string(output)"],
        },
      })),
    },
  });
  const { code, stdout, stderr } = await perdure(folder, ['test', '--json']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ passed: 4, failed: 0 });
}, 180_000);

test('a case runs although its folder lacks an entity type and a variable of the workspace', async () => {
  const folder = folderOf({
    'workflows/shared.yaml': {
      nodes: [
        {
          id: 'make',
          type: 'action',
          appId: 'objects',
          actionId: 'create',
          inputs: { objectTypeSlug: 'claim', name: 'x' },
        },
      ],
      edges: [],
      output: '{{ trigger.all ? variables.SHARED : steps.make.output.id }}',
    },
    'tests/shared.yaml': {
      workflow: 'shared',
      cases: [
        { name: 'mocked', input: { all: false }, mocks: { make: { output: { id: 'a' } } }, expect: { output: 'a' } },
      ],
    },
  });
  const { code, stderr } = await perdure(folder, ['test']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}, 180_000);

test('a folder or a case that is wrong is refused before anything runs', async () => {
  const folder = folderOf({
    'workflows/broken.yaml': { nodes: [{ id: 'a', type: 'action', appId: 'nothing', actionId: 'none' }], edges: [] },
    'tests/broken.yaml': { workflow: 'broken', cases: [{ name: 'one', mocks: { b: { output: 1 } } }] },
  });
  const unknown = await perdure(folder, ['test']);
  expect(unknown).toMatchObject({ code: 4, stdout: '' });
  expect(unknown.stderr).toContain('tests/broken.yaml: cases[0].mocks.b: there is no node b');
  writeFileSync(join(folder, 'tests/broken.yaml'), 'workflow: broken\ncases: [{ name: one }]\n');
  const invalid = await perdure(folder, ['test']);
  expect(invalid.code).toBe(4);
  expect(invalid.stderr).toMatch(/workflows\/broken\.yaml:\d+:\d+: nodes\[0\]\.appId/);
  const none = await perdure(folder, ['test', '--workflow', 'other']);
  expect(none.code).toBe(4);
  const schema = await perdure(folder, ['schema', 'tests']);
  expect(JSON.parse(schema.stdout)).toMatchObject({ properties: { workflow: { type: 'string' } } });
}, 120_000);

test('a case of a real execution passes, without its secrets; apply --test writes nothing where one fails', async () => {
  const home = await makeHome();
  const { url, apiKey, projectId } = home;
  const as = { PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId };
  const workflow = {
    trigger: {
      ...{ id: 'trigger', type: 'manual' },
      config: {
        fields: [
          { key: 'token', type: 'secret', required: true },
          { key: 'amount', type: 'number' },
        ],
      },
    },
    nodes: [
      { id: 'keep', type: 'action', appId: 'core', actionId: 'set', inputs: { values: { t: '{{ trigger.token }}' } } },
      { id: 'ask', type: 'input', inputs: { fields: [{ key: 'ok', type: 'boolean' }] } },
      { id: 'sub', type: 'runWorkflow', inputs: { workflowId: '@workflow/inner', input: { n: 1 } } },
    ],
    edges: [edge('keep', 'ask'), edge('ask', 'sub')],
    output: { amount: '{{ trigger.amount }}', sub: '{{ steps.sub.output }}' },
  };
  const inner = { nodes: [], edges: [], output: { found: 3 } };
  const folder = folderOf({ 'workflows/outer.yaml': workflow, 'workflows/inner.yaml': inner });
  expect(await perdure(folder, ['apply', '--yes'], as)).toMatchObject({ code: 0 });
  const input = JSON.stringify({ token: 'a-very-secret-token', amount: 42.5 });
  const begun = await perdure(folder, ['run', 'outer', '--input', input, '--follow', '--no-answer', '--json'], as);
  expect(begun.code).toBe(10);
  expect(await perdure(folder, ['questions', 'answer', '#1', '--set', 'ok=true'], as)).toMatchObject({ code: 0 });
  expect(await perdure(folder, ['executions', 'watch', '#1'], as)).toMatchObject({ code: 0 });
  mkdirSync(join(folder, 'tests'));
  const recorded = await perdure(folder, ['test', '--record', '#1', '-o', 'tests/outer.yaml'], as);
  expect(recorded).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'tests/outer.yaml'), 'utf8');
  expect(text).not.toContain('a-very-secret-token');
  expect(text).toMatch(/token: ["']?\*\*\*["']?\n/);
  const again = await perdure(folder, ['test', '--json']);
  expect((JSON.parse(again.stdout) as Report).cases.map(({ problems }) => problems)).toEqual([[]]);

  writeFileSync(join(folder, 'workflows/inner.yaml'), JSON.stringify({ ...inner, output: { found: 4 } }));
  writeFileSync(join(folder, 'tests/outer.yaml'), text.replace('amount: 42.5\n', 'amount: 43\n'));
  const refused = await perdure(folder, ['apply', '--test', '--yes'], as);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Nothing was applied: a case failed.');
  expect(await perdure(folder, ['plan'], as)).toMatchObject({ code: 2 });
}, 300_000);

test.each(['while the server starts', 'amid the cases'] as const)(
  'Ctrl-C %s ends all that was started, with 130',
  async (moment) => {
    const folder = folderOf({
      'workflows/slow.yaml': {
        slug: 'slow',
        name: 'Slow',
        nodes: [{ id: 'think', type: 'action', appId: 'code', actionId: 'javascript', inputs: { code: 'for (;;);' } }],
        edges: [],
      },
      'tests/slow.yaml': { workflow: 'slow', cases: [{ name: 'thinks', expect: { status: 'COMPLETED' } }] },
    });
    const own = mkdtempSync(join(folder, 'tmp-'));
    const { PATH, HOME, XDG_CACHE_HOME } = process.env;
    const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist/cli/main.js'), 'test'], {
      cwd: folder,
      env: { PATH, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME: folder, TMPDIR: own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    const isRunning = new Promise<void>((done) => {
      child.stderr.on('data', (text) => {
        said += text;
        if (said.includes('running 1 case')) done();
      });
    });
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    if (moment === 'amid the cases') await isRunning;
    else await entryOf(own);
    child.kill('SIGINT');
    expect({ code: await ended, said, left: readdirSync(own) }).toEqual({
      ...{ code: 130, left: [] },
      said: expect.stringContaining('Interrupted'),
    });
  },
  120_000,
);

function entryOf(folder: string): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(folder, () => {
      watcher.close();
      done();
    });
  });
}

test('every example has cases, and they pass', async () => {
  const folder = folderOf({});
  const examples = join(PROJECT_ROOT, 'examples');
  // The actions of `workers` run on workers alone (workerExamples.test.ts).
  const names = readdirSync(examples, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() && each.name !== 'workers' ? each.name : [],
  );
  for (const name of names) {
    expect(readdirSync(join(examples, name))).toContain('tests');
    // A project with settings of its own, which the files of others would replace.
    if (name !== 'ci') cpSync(join(examples, name), folder, { recursive: true });
  }
  expect(await perdure(join(examples, 'ci'), ['test'])).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await perdure(folder, ['test', '--json']);
  const { cases, failed } = JSON.parse(stdout) as Report;
  expect(cases.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect({ code, failed, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, failed: 0, stderr: '' });
  expect(cases.length).toBeGreaterThan(20);
}, 180_000);
