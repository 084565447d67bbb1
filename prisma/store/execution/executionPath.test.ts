import { expect, test } from '@jest/globals';
import type { RevealSecrets } from '../../../domain/execution/keptSecret.ts';
import type { QuestionPlace } from '../../../domain/execution/questionPlace.ts';
import { shownPath } from './executionPath.ts';
import { pendingInput } from './openQuestions.ts';
import type { StepRow } from './shownStep.ts';

const ROW: StepRow = {
  id: 'a',
  executionId: 'x',
  nodeId: 'n',
  label: 'N',
  appId: null,
  actionId: null,
  status: 'RUNNING',
  attempt: 1,
  startedAt: '2026-11-21T10:00:00.000Z',
  stoppedAt: null,
  wakeAt: null,
  awaitedApproval: null,
  awaitedQueue: null,
  handle: null,
  attempts: null,
  attemptStartedAt: null,
  input: null,
  inputBytes: null,
  output: null,
  outputBytes: null,
  error: null,
  console: null,
  consoleBytes: null,
  iteration: '',
  reused: false,
  reusedFrom: null,
  total: null,
  completed: null,
  failed: null,
  kept: null,
};
const ATTEMPT = { attempt: 1, startedAt: '2026-11-21T10:00:00.000Z', stoppedAt: null };
const SHOWN = {
  id: 'a',
  nodeId: 'n',
  label: 'N',
  appId: null,
  actionId: null,
  status: 'RUNNING',
  attempt: 1,
  startedAt: '2026-11-21T10:00:00.000Z',
  stoppedAt: null,
  durationMs: null,
  input: null,
  output: null,
  attempts: [ATTEMPT],
  iteration: [],
};

const texts: RevealSecrets = (stored) => stored.map(String);

function shown(row: Partial<StepRow>, secrets: string[] = []): unknown {
  const { executionPath } = shownPath({ steps: [{ ...ROW, ...row }], secrets, leftOut: 0 } as never, texts);
  const [step] = executionPath as unknown[];
  return step;
}

test('a step has its duration once it has stopped, its error when there is one, and its iterations', () => {
  expect(shown({})).toEqual(SHOWN);
  const error = { code: 'X', message: 'm', attempt: 2 };
  expect(shown({ stoppedAt: '2026-11-21T10:00:01.250Z', error, iteration: 'outer:3/in-ner:0' })).toEqual({
    ...SHOWN,
    stoppedAt: '2026-11-21T10:00:01.250Z',
    durationMs: 1250,
    error,
    attempts: [{ ...ATTEMPT, stoppedAt: '2026-11-21T10:00:01.250Z', error: { code: 'X', message: 'm' } }],
    iteration: [
      { nodeId: 'outer', index: 3 },
      { nodeId: 'in-ner', index: 0 },
    ],
  });
});

test('a step says the way out by which it was left, where it has a name', () => {
  expect(shown({ handle: 'true' })).toEqual({ ...SHOWN, handle: 'true' });
});

test('attempts are those that ended and the present one, or those alone while it waits for the next', () => {
  const error = { code: 'X', message: 'no hunter22' };
  const first = { ...ATTEMPT, stoppedAt: '2026-11-21T10:00:01.000Z', error };
  const masked = { ...first, error: { code: 'X', message: 'no ***' } };
  const wakeAt = '2026-11-21T11:00:00.000Z';
  expect(shown({ status: 'RETRYING', attempts: [first], wakeAt }, ['hunter22'])).toMatchObject({
    attempts: [masked],
    wakeAt,
  });
  const second = { attempt: 2, attempts: [first], attemptStartedAt: wakeAt };
  expect(shown(second, ['hunter22'])).toMatchObject({
    attempts: [masked, { attempt: 2, startedAt: wakeAt, stoppedAt: null }],
  });
  expect(shown({ status: 'QUEUED', startedAt: null })).toMatchObject({ attempts: [] });
  const many = Array.from({ length: 20 }, (_, index) => ({ ...first, attempt: index + 1 }));
  const { attempts } = shown({ attempt: 21, attempts: many }) as { attempts: { attempt: number }[] };
  expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
});

test('a large input and output are links with their sizes', () => {
  expect(shown({ inputBytes: 300_000, outputBytes: 400_000 })).toEqual({
    ...SHOWN,
    inputLink: '/api/executions/x/steps/a/input',
    inputBytes: 300_000,
    outputLink: '/api/executions/x/steps/a/output',
    outputBytes: 400_000,
  });
  expect(shown({ consoleBytes: 9_000 })).toEqual({
    ...SHOWN,
    consoleLink: '/api/executions/x/steps/a',
    consoleBytes: 9_000,
  });
});

test('a loop shows its progress, with the total if it is known', () => {
  expect(shown({ completed: 7, failed: 1 })).toEqual({ ...SHOWN, iterations: { completed: 7, failed: 1 } });
  expect(shown({ total: 10, completed: 0, failed: null })).toEqual({
    ...SHOWN,
    iterations: { total: 10, completed: 0, failed: 0 },
  });
});

test('a step inside loops has their known totals', () => {
  const steps = [
    { ...ROW, nodeId: 'outer', total: 5, completed: 3, failed: 0 },
    { ...ROW, nodeId: 'inner', iteration: 'outer:3', completed: 0, failed: 0 },
    { ...ROW, iteration: 'outer:3/inner:0' },
  ];
  const { executionPath: path } = shownPath({ steps, secrets: [], leftOut: 0 } as never, texts);
  expect(path).toMatchObject([{ iteration: [] }, { iteration: [{ nodeId: 'outer', index: 3, total: 5 }] }, {}]);
  expect((path as { iteration: object }[])[2]?.iteration).toEqual([
    { nodeId: 'outer', index: 3, total: 5 },
    { nodeId: 'inner', index: 0 },
  ]);
});

test('a step of the execution that was retried says so', () => {
  expect(shown({ reused: true })).toEqual({ ...SHOWN, reused: true });
});

test('secrets are masked in input, output and error', () => {
  const row = {
    input: { a: 'hunter22' },
    output: ['hunter22'],
    error: { code: 'X', message: 'no hunter22', attempt: 1 },
  };
  expect(shown(row, ['hunter22'])).toEqual({
    ...SHOWN,
    input: { a: '***' },
    output: ['***'],
    error: { code: 'X', message: 'no ***', attempt: 1 },
    attempts: [{ ...ATTEMPT, error: { code: 'X', message: 'no ***' } }],
  });
});

test('a pending input leaves out absent fields', () => {
  const row = {
    nodeId: 'n',
    stepId: 's',
    label: 'N',
    title: null,
    fields: [],
    instructions: null,
    requestedAt: 't',
    expiresAt: null,
    iteration: 'loop:1',
  };
  const linkOf = ({ executionId, nodeId, iteration }: QuestionPlace) => `${executionId} ${nodeId} ${iteration}`;
  const shown = { nodeId: 'n', stepId: 's', label: 'N', fields: [], requestedAt: 't', link: 'e n loop:1' };
  expect(pendingInput({ executionId: 'e', secrets: [], questions: [row], totals: [] } as never, texts, linkOf)).toEqual(
    [{ ...shown, iteration: [{ nodeId: 'loop', index: 1 }] }],
  );
  const totals = [{ iteration: '', nodeId: 'loop', total: 4 }];
  expect(pendingInput({ executionId: 'e', secrets: [], questions: [row], totals } as never, texts, linkOf)).toEqual([
    { ...shown, iteration: [{ nodeId: 'loop', index: 1, total: 4 }] },
  ]);
});

test('console lines of a step are masked in their texts alone', () => {
  const console = [{ level: 'log' as const, text: 'the key is s3cret-key' }];
  expect(shown({ console }, ['log', 's3cret-key'])).toEqual({
    ...SHOWN,
    console: [{ level: 'log', text: 'the key is ***' }],
  });
});

test('a path that leaves steps out says how many, and no other does', () => {
  expect(shownPath({ steps: [], secrets: [], leftOut: 7 } as never, texts)).toEqual({
    executionPath: [],
    stepsLeftOut: 7,
  });
  expect(shownPath({ steps: [], secrets: [], leftOut: 0 } as never, texts)).toEqual({ executionPath: [] });
});
