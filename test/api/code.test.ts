import { expect, test } from 'vitest';
import { action, chain } from '../setup/graph.ts';
import { makeHome, stepOf } from '../setup/home.ts';

const code = (id: string, text: string, inputs: object = {}) =>
  action(id, 'code.javascript', { code: text, ...inputs } as never);

test('code takes values of other steps and gives what it returns, inline and remote', async () => {
  const home = await makeHome();
  const execution = await home.run(
    {
      nodes: [
        {
          ...code('quick', 'return input.n * 2;', { input: { n: '{{ trigger.n }}' }, timeoutMs: 200 }),
          // A busy machine may not give it its time at once.
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

test.each([
  ['inline', 150],
  ['remote', 300],
])('an attack ends its step alone: %s', async (_, timeoutMs) => {
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
