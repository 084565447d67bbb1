import { expect, test } from '@jest/globals';
import { action, chain } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';

const code = (id: string, text: string, inputs: object = {}) =>
  action(id, 'code.javascript', { code: text, ...inputs } as never);

test('code reads values of other steps and its output is its return value, inline and remote', async () => {
  const home = await makeHome();
  const execution = await home.run(
    {
      nodes: [
        {
          ...code('quick', 'return input.n * 2;', { input: { n: '{{ trigger.n }}' }, timeoutMs: 200 }),
          // On a busy machine the first attempt may time out.
          retry: { maximumAttempts: 20, initialIntervalMs: 10, backoffCoefficient: 1 },
        },
        code('long', 'return { list: await Promise.all(input.map(async (n) => n + 1)) };', {
          input: ['{{ steps.quick.output }}', 1],
        }),
      ],
      edges: chain('quick', 'long'),
    },
    { n: 21 },
  );
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { list: [43, 2] } });
  expect(stepOf(execution, 'quick').output).toBe(42);
});

test('replaces characters of a message that Postgres cannot store, and the step fails once', async () => {
  const home = await makeHome();
  const execution = await home.run({ nodes: [code('nul', 'throw new Error("no\\u0000\\ud800");')] });
  expect(execution).toMatchObject({ status: 'FAILED' });
  expect(stepOf(execution, 'nul')).toMatchObject({
    status: 'FAILED',
    attempt: 1,
    error: { code: 'CODE_THREW', message: 'Error: no\ufffd\ufffd (line 1)', attempt: 1 },
  });
});

test('a step has the console lines of its latest attempt', async () => {
  const home = await makeHome();
  const lines = [{ level: 'info', text: 'n is 1' }];
  const execution = await home.run({
    nodes: [
      code('inline', 'console.info("n is", input); return "\\u0001";', { input: 1, timeoutMs: 200 }),
      code('remote', 'console.info("n is", input); console.log("a\\0b"); throw new Error("no\\0\\ud800");', {
        input: 1,
      }),
    ].map((node) => ({ ...node, onError: 'continue' as const, retry: { maximumAttempts: 20, initialIntervalMs: 10 } })),
    edges: chain('inline', 'remote'),
  });
  expect(stepOf(execution, 'inline')).toMatchObject({ output: '\u0001', console: lines });
  expect(stepOf(execution, 'remote')).toMatchObject({
    error: { code: 'CODE_THREW', message: 'Error: no\ufffd\ufffd (line 1)' },
    console: [...lines, { level: 'log', text: 'a\ufffdb' }],
  });
  const quiet = await home.run({ nodes: [code('quiet', 'return 1;')] });
  expect(stepOf(quiet, 'quiet')).not.toHaveProperty('console');
});

test.each([
  ['inline', 150],
  ['remote', 300],
])('an attack ends only its own step: %s', async (_, timeoutMs) => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      code('loop', 'for (;;);', { timeoutMs }),
      code('native', 'const a = []; a.length = 4294967295; a.sort();', { timeoutMs }),
      code('deep', 'const f = () => f() + 1; return f();', { timeoutMs }),
      code('after', 'return 1;', { timeoutMs: 10_000 }),
    ].map((node) => ({ ...node, onError: 'continue' as const })),
    edges: chain('loop', 'native', 'deep', 'after'),
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 1 });
  expect(stepOf(execution, 'loop').error).toMatchObject({ code: 'CODE_TIMEOUT' });
  expect(stepOf(execution, 'native').error).toMatchObject({ code: 'CODE_TIMEOUT' });
  expect(stepOf(execution, 'deep').error.code).toMatch(/^CODE_(THREW|TIMEOUT)$/);
});
