// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, type Graph } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const after = action('after', 'core.set', { values: {} });
const GRAPHS: Record<string, Graph> = {
  'at the top': { nodes: [control('pause', 'delay', { forMs: 1_500 }), after], edges: chain('pause', 'after') },
  'in an iteration': {
    nodes: [
      control('each', 'forEach', { items: [1, 2], concurrency: 2 }),
      { ...control('pause', 'delay', { forMs: 1_500 }), parentId: 'each' },
      { ...after, parentId: 'each' },
    ],
    edges: chain('pause', 'after'),
  },
};

/** Makes the database reject these step rows as too large; returns a function that stops it. */
async function refusing(executionId: string, which = "NEW.node_id = 'after'"): Promise<() => Promise<unknown>> {
  const name = `refuse_${executionId.replaceAll('-', '')}`;
  const database = stackDatabase();
  await database.$executeRawUnsafe(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'too large' USING ERRCODE = '54000'; END $$`);
  await database.$executeRawUnsafe(`
    CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON execution_steps FOR EACH ROW
    WHEN (NEW.execution_id = '${executionId}' AND ${which}) EXECUTE FUNCTION ${name}()`);
  return () => database.$executeRawUnsafe(`DROP FUNCTION ${name} CASCADE`);
}

test.each(Object.entries(GRAPHS))(
  'data that the database refuses each time fails the execution, and does not keep it open: %s',
  async (_, graph) => {
    const home = await makeHome();
    const executionId = await home.execute(await home.deploy(graph));
    const end = await refusing(executionId);
    try {
      const execution = await home.ended(executionId);
      expect(execution).toMatchObject({ status: 'FAILED', output: null });
      expect(execution.statusMessage).toContain('INTERNAL: Perdure itself failed');
      expect(await engineStatus(executionId)).toBe('FAILED');
    } finally {
      await end();
    }
  },
);

test('no iteration begins after one whose write the database refuses each time', async () => {
  const items = Array.from({ length: 60 }, (_, index) => index);
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('each', 'forEach', { items, concurrency: 2 }),
        action('wait', 'testing.wait', { ms: '{{ loop.index == 0 ? 1500 : 300 }}' }, { parentId: 'each' }),
        control('check', 'condition', { condition: '{{ loop.index == 0 }}' }, { parentId: 'each' }),
        { ...after, parentId: 'each' },
      ],
      edges: edges('wait>check', 'check:true>after'),
    }),
  );
  const end = await refusing(executionId);
  try {
    expect((await home.ended(executionId)).status).toBe('FAILED');
    const begun = (await home.api('GET', `/api/executions/${executionId}/steps?filterBy=nodeId:wait&limit=100`)).body;
    expect(begun.length).toBeLessThan(items.length);
  } finally {
    await end();
  }
});

const RETRY = { maximumAttempts: 3, initialIntervalMs: 10 };

test.each([
  ['a NUL character', '{"said": "a\\u0000b"}'],
  ['a key with a NUL character', '{"a\\u0000": 1}'],
  ['half of a surrogate pair', '{"said": ["\\ud800"]}'],
])('an answer with %s fails the step once, and says why', async (_, answer) => {
  const home = await makeHome();
  const server = await loopback((_call, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  const call = action('call', 'http.request', { method: 'POST', url: server.url }, { retry: RETRY });
  const execution = await home.run({ nodes: [call, after], edges: chain('call', 'after') });
  expect(execution.status).toBe('FAILED');
  expect(stepOf(execution, 'call')).toMatchObject({
    status: 'FAILED',
    attempt: 1,
    output: null,
    error: {
      code: 'OUTPUT_NOT_STORABLE',
      message: expect.stringContaining('NUL character or half of a surrogate pair'),
    },
  });
  expect(server.calls).toHaveLength(1);
});

test('a result that the database refuses fails the step, and its action does not run again', async () => {
  const home = await makeHome();
  const held: (() => void)[] = [];
  const server = await loopback((_call, response) => {
    held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"done": true}'));
  });
  const call = action('call', 'http.request', { method: 'POST', url: server.url }, { retry: RETRY, onError: 'route' });
  const executionId = await home.execute(await home.deploy({ nodes: [call, after], edges: edges('call:error>after') }));
  await poll(() => held.length).toBe(1);
  const end = await refusing(executionId, "NEW.node_id = 'call' AND NEW.status = 'COMPLETED'");
  try {
    held[0]?.();
    const execution = await home.ended(executionId);
    expect(stepOf(execution, 'call')).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      error: { code: 'OUTPUT_NOT_STORABLE', message: 'The output cannot be stored: the database refuses it' },
    });
    expect([execution.status, stepOf(execution, 'after').status]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(server.calls).toHaveLength(1);
  } finally {
    await end();
  }
});
