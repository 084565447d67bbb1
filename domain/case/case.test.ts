import { expect, test } from '@jest/globals';
import { EXAMPLE_SCOPE, EXPRESSION_EXAMPLES } from '../../test/setup/documents/documentedExpressions.ts';
import { durationMs } from '../duration.ts';
import { CEL_FUNCTIONS } from '../expression/functions/table.ts';
import { caseFileProblems, caseFileSchema } from './caseFile.ts';
import { casePlace, closest } from './casePlace.ts';
import { caseProblems } from './caseProblems.ts';
import { checkProblem, failedCheck, type Seen } from './checks.ts';
import { CoverageOf } from './coverage.ts';
import { failuresOf, type Ran } from './judge.ts';

test.each([
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['3d', 259_200_000],
  ['1.5s', 1_500],
  ['3 d', undefined],
  ['', undefined],
])('the duration %j', (text, ms) => expect(durationMs(text)).toBe(ms));

test('a place names a node, an iteration, another workflow; the closest mock counts', () => {
  expect(casePlace('alarm/pay[1][2]')).toEqual({ workflow: 'alarm', nodeId: 'pay', indices: [1, 2] });
  expect(casePlace('pay[x]')).toBeUndefined();
  const mocks = ['pay', 'pay[2]', 'pay[1][2]', 'alarm/pay'].map((text) => ({
    text,
    place: casePlace(text) ?? { nodeId: '', indices: [] },
  }));
  const at = (workflow: string, ...indices: number[]) => closest(mocks, { workflow, nodeId: 'pay', indices })?.text;
  expect([at('own'), at('own', 2), at('own', 0), at('own', 1, 2), at('own', 0, 2), at('alarm')]).toEqual([
    'pay',
    'pay[2]',
    'pay',
    'pay[1][2]',
    'pay[2]',
    'alarm/pay',
  ]);
  expect(closest(mocks, { workflow: 'own', nodeId: 'other', indices: [] })).toBeUndefined();
});

const FILE = { workflow: 'refund', cases: [{ name: 'one' }] };
const GRAPHS = new Map([
  [
    'refund',
    {
      nodes: [
        { id: 'pay', type: 'action' as const },
        { id: 'ask', type: 'input' as const },
        { id: 'inner', type: 'action' as const, parentId: 'each' },
      ],
    },
  ],
]);

test('a file is refused with the place of each mistake', () => {
  const wrong = {
    ...FILE,
    cases: [{ name: 'one', now: 'today', events: [{ after: 'soon', cancel: true }], mocks: { pay: {} }, extra: 1 }],
  };
  const { problems } = caseFileProblems(wrong);
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
    'cases[0]',
    'cases[0].events[0].after',
    'cases[0].mocks.pay',
    'cases[0].now',
  ]);
  expect(caseFileProblems(FILE).problems).toEqual([]);
  expect(caseFileSchema()).toMatchObject({ required: ['workflow', 'cases'] });
});

test('names that the folder does not have are refused with their places', () => {
  const { file } = caseFileProblems({
    ...FILE,
    cases: [
      {
        name: 'one',
        mocks: { nothing: { output: 1 }, ask: { output: 1 } },
        events: [{ at: 'pay', answer: {} }],
        expect: { path: ['inner'], calls: { 'other/pay': [] }, checks: ['output ==', 'unknown == 1'] },
      },
    ],
  });
  if (!file) throw new Error('the file is well formed');
  expect(caseProblems(file, GRAPHS).map((problem) => problem.split(':')[0])).toEqual([
    'cases[0].mocks.nothing',
    'cases[0].mocks.ask',
    'cases[0].events[0].at',
    'cases[0].expect.calls.other/pay',
    'cases[0].expect.path[0]',
    'cases[0].expect.checks[0]',
    'cases[0].expect.checks[1]',
  ]);
  expect(caseProblems({ ...file, workflow: 'gone' }, GRAPHS)).toEqual([expect.stringContaining('workflows/gone.yaml')]);
});

const SEEN: Seen = {
  output: { refund: 42.5, count: 3 },
  steps: { fetch: { attempt: 2 } },
  calls: { pay: [{ amount: 42.5, to: 'Ada' }] },
  durationMs: 72 * 3_600_000,
  error: null,
};

test('checks are CEL; JSON numbers and integers mix', () => {
  const holds = [
    'steps.fetch.attempt == 2',
    "duration == duration('72h')",
    "duration >= duration('1h')",
    "json(error) == 'null'",
    'calls.pay.map(call, call.amount).sum() + output.count == 45.5',
    'output.count + 1 == 4',
    'size(calls.pay) == 1',
    'error == null',
  ];
  for (const check of holds) {
    expect(checkProblem(check)).toBeUndefined();
    expect(failedCheck(check, SEEN)).toBeUndefined();
  }
  expect(failedCheck('output.count == 4', SEEN)).toBe('expected true, it is false');
  expect(failedCheck('steps.gone.attempt == 1', SEEN)).toContain('gone');
  expect(checkProblem('output ==')).toBeDefined();
});

/** The examples of the documentation as checks, whose `output` contains the scope of the example. */
const documented = EXPRESSION_EXAMPLES.map(({ expression, json }) => ({
  expression: expression.replace(/(?<![\w."'])(?=(trigger|variables|execution)\b)/g, 'output.'),
  json,
}));

test.each(CEL_FUNCTIONS.map(({ name }) => name))('a check knows the function %s', (name) => {
  const uses = documented.filter(({ expression }) => new RegExp(`\\b${name}\\(`).test(expression));
  const examples = uses.filter(({ expression }) => !/\b(loop|loops|now)\b/.test(expression));
  expect(examples).not.toEqual([]);
  const scope = JSON.parse(EXAMPLE_SCOPE);
  for (const { expression, json } of examples) {
    const check = `json(${expression}) == json(${json})`;
    expect({ check, problem: checkProblem(check) ?? failedCheck(check, { ...SEEN, ...scope, output: scope }) }).toEqual(
      { check },
    );
  }
});

const problemsOf = (expected: Parameters<typeof failuresOf>[0], ran: Ran) =>
  failuresOf(expected, ran).map(({ message }) => message);

const RAN: Ran = {
  status: 'COMPLETED',
  statusMessage: null,
  path: ['fetch', 'pay'],
  output: { refund: 42.5 },
  calls: { pay: [{ amount: 42.5, to: 'Ada' }] },
  seen: SEEN,
};

test('met expectations report nothing; only the named members of calls count, but all of the output', () => {
  const expected = { path: ['fetch', 'pay'], output: { refund: 42.5 }, calls: { pay: [{ amount: 42.5 }] } };
  expect(problemsOf(expected, RAN)).toEqual([]);
  expect(problemsOf({ output: {} }, RAN)).toEqual(['output.refund: not expected, saw 42.5']);
});

test('a problem names the expected and the actual value', () => {
  const problems = problemsOf(
    { status: 'FAILED', path: ['pay'], output: { refund: 1 }, calls: { pay: [] }, checks: ['1 == 2'] },
    RAN,
  );
  expect(problems).toEqual([
    'status: expected FAILED, saw COMPLETED',
    'path: expected [pay], saw [fetch, pay]',
    'output.refund: expected 1, saw 42.5',
    'calls.pay: expected 0 calls, saw 1: [{"amount":42.5,"to":"Ada"}]',
    'checks[0] 1 == 2: expected true, it is false',
  ]);
});

test('a problem has its place in the case', () => {
  const ran = { ...RAN, calls: { 'pay[0]': [{ to: ['Ada'], 'x.y': 1 }] } };
  const expected = {
    ...{ status: 'FAILED', path: [], output: { refund: 1 }, checks: ['true', 'false'] },
    calls: { 'pay[0]': [{ to: ['Bob'], 'x.y': 2 }], ask: [{}] },
  } as const;
  expect(failuresOf(expected as never, ran).map(({ path }) => path)).toEqual([
    'expect.status',
    'expect.path',
    'expect.output.refund',
    'expect.calls["pay[0]"][0].to[0]',
    'expect.calls["pay[0]"][0]["x.y"]',
    'expect.calls.ask',
    'expect.checks[1]',
  ]);
});

test('without an expected status, an end other than COMPLETED is a problem, unless a check reads the error', () => {
  const failed: Ran = { ...RAN, status: 'FAILED', statusMessage: 'no' };
  expect(problemsOf({}, failed)).toEqual(['status: expected COMPLETED, saw FAILED (no)']);
  expect(problemsOf({ checks: ['error == null'] }, failed)).toEqual([]);
  const asking: Ran = { ...RAN, status: 'NEEDS_INPUT', statusMessage: 'nobody answers ask' };
  expect(problemsOf({ checks: ['error == null'] }, asking)).toHaveLength(1);
  expect(problemsOf({ status: 'NEEDS_INPUT' }, asking)).toEqual([]);
});

test('edges are taken by the way in which a step was left; error routes count apart', () => {
  const node = (id: string, onError?: 'route' | 'continue') => ({
    id,
    type: 'action' as const,
    ...(onError ? { onError } : {}),
  });
  const coverage = new CoverageOf({
    nodes: [node('a', 'route'), node('b', 'continue'), node('c'), node('d')],
    edges: [
      { id: '1', source: 'a', target: 'b' },
      { id: '2', source: 'a', target: 'c', sourceHandle: 'error' },
      { id: '3', source: 'b', target: 'd' },
    ],
  });
  expect(coverage.counts).toMatchObject({ nodesRun: 0, edges: 2, edgesTaken: 0, errorRoutes: 1, errorRoutesTaken: 0 });
  coverage.add([
    { nodeId: 'a', status: 'FAILED', handle: null },
    { nodeId: 'c', status: 'COMPLETED', handle: null },
  ]);
  expect(coverage.counts).toMatchObject({ nodesRun: 2, edgesTaken: 0, errorRoutesTaken: 1 });
  coverage.add([
    { nodeId: 'a', status: 'COMPLETED', handle: null },
    { nodeId: 'b', status: 'FAILED', handle: null },
  ]);
  expect(coverage.counts).toEqual({
    nodes: 4,
    nodesRun: 3,
    edges: 2,
    edgesTaken: 2,
    errorRoutes: 1,
    errorRoutesTaken: 1,
  });
});
