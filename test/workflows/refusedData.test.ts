import { expect, test } from '@jest/globals';
import { action, chain, control, edges, type Graph } from '../setup/graph.ts';
import { makeHome } from '../setup/home.ts';
import { engineStatus } from '../setup/temporal.ts';
import { stackDatabase } from '../setup/workspace.ts';

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

/** The database refuses the step `after` of this execution as it does what is too large; answers how to end that. */
async function refusing(executionId: string): Promise<() => Promise<unknown>> {
  const name = `refuse_${executionId.replaceAll('-', '')}`;
  const database = stackDatabase();
  await database.$executeRawUnsafe(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'too large' USING ERRCODE = '54000'; END $$`);
  await database.$executeRawUnsafe(`
    CREATE TRIGGER ${name} BEFORE INSERT ON execution_steps FOR EACH ROW
    WHEN (NEW.execution_id = '${executionId}' AND NEW.node_id = 'after') EXECUTE FUNCTION ${name}()`);
  return () => database.$executeRawUnsafe(`DROP FUNCTION ${name} CASCADE`);
}

test.each(Object.entries(GRAPHS))(
  'what the database refuses each time fails the execution, and does not keep it open: %s',
  async (_, graph) => {
    const home = await makeHome();
    const executionId = await home.execute(await home.deploy(graph));
    const end = await refusing(executionId);
    try {
      const execution = await home.ended(executionId);
      expect(execution).toMatchObject({ status: 'FAILED', output: null });
      expect(execution.statusMessage).toContain('its history there says why');
      expect(await engineStatus(executionId)).toBe('FAILED');
    } finally {
      await end();
    }
  },
);

test('no iteration begins behind one that the database refuses each time', async () => {
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
