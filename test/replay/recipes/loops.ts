import { beginAgain } from '../../setup/stack/beginAgain.ts';
import { stackTemporal } from '../../setup/stack/temporal.ts';
import { action, chain, control, edges, question } from '../../setup/workspace/graph.ts';
import { execute, manyItems, type Recipes, remote, set } from './recipe.ts';

export const LOOPS = {
  forEach: (home) =>
    execute(home, {
      nodes: [
        control('outer', 'forEach', { items: ['a', 'b', 'c'], concurrency: 2, onItemError: 'continue' }),
        { ...remote('work'), parentId: 'outer' },
        control('inner', 'forEach', { items: [1, 2] }, { parentId: 'outer' }),
        { ...set('each'), parentId: 'inner' },
        action('bad', 'testing.fail', {}, { parentId: 'outer', onError: 'continue' }),
        set('after'),
      ],
      edges: edges('work>inner', 'inner>bad', 'outer>after'),
    }),
  forEachInChildren: (home) => execute(home, manyItems()),
  forEachInFewLanes: (home) => execute(home, manyItems(310, 60)),
  async iterations(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: Array.from({ length: 101 }, (_, index) => index), concurrency: 20 }),
        control('pause', 'delay', { forMs: 0 }, { parentId: 'each' }),
      ],
    });
    await home.ended(id);
    return { engineId: `${id}/each:0` };
  },
  async dividedSlice(home) {
    // Nobody is asked, but possible events count, so a workflow has room for one iteration only.
    const unasked = (parentId: string, count: number) => [
      control(`if-${parentId}`, 'condition', { condition: false }, { parentId }),
      ...Array.from({ length: count }, (_, index) => ({ ...question(`${parentId}-${index}`), parentId })),
    ];
    const skipped = (parentId: string, count: number) =>
      Array.from({ length: count }, (_, index) => `if-${parentId}:true>${parentId}-${index}`);
    const id = await execute(home, {
      nodes: [
        control('outer', 'forEach', { items: ['only'] }),
        control('inner', 'forEach', { items: [1, 2, 3] }, { parentId: 'outer' }),
        { ...remote('work'), parentId: 'inner' },
        ...unasked('inner', 300),
        ...unasked('outer', 447),
      ],
      edges: edges(...skipped('inner', 300), ...skipped('outer', 447)),
    });
    await home.ended(id);
    return { engineId: `${id}/outer:0/inner:0-3` };
  },
  loopInRegion: (home) =>
    execute(home, {
      nodes: [control('again', 'repeat', { times: 1_100 }), { ...set('each'), parentId: 'again' }, set('after')],
      edges: chain('again', 'after'),
    }),
  repeat: (home) =>
    execute(home, {
      nodes: [
        control('again', 'repeat', { until: '{{ loop.index == 2 }}', pauseMs: 5 }),
        { ...remote('work'), parentId: 'again' },
      ],
    }),
  async loopCancelled(home) {
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3], concurrency: 2 }),
        action('long', 'testing.wait', { ms: 600_000 }, { parentId: 'each' }),
      ],
    });
    await home.until(id, ({ executionPath }) => executionPath.length === 3 && executionPath.every(isRunning));
    await (await stackTemporal()).workflow.getHandle(id).cancel();
    return id;
  },
  loopTooLarge: (home) =>
    execute(home, {
      nodes: [
        control('each', 'forEach', {
          items: Array.from({ length: 60 }, (_, index) => index),
          ...{ concurrency: 3, onItemError: 'continue' },
        }),
        action('large', 'testing.payload', { bytes: 1_000_000 }, { parentId: 'each' }),
      ],
    }),
  async retriedLoop(home) {
    const { body: bad } = await home.api('POST', '/api/variables', { body: { name: 'bad', value: 3 } });
    const check = (id: string, loop: string) =>
      action(id, 'core.assert', { condition: `{{ loops.${loop}.index != variables.bad }}` }, { parentId: loop });
    const id = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: [1, 2, 3, 4, 5, 6], concurrency: 2, onItemError: 'continue' }),
        { ...remote('work'), parentId: 'each' },
        check('check', 'each'),
        control('again', 'repeat', { times: 5 }),
        { ...remote('try'), parentId: 'again' },
        check('good', 'again'),
        control('region', 'forEach', { items: [1, 2, 3, 4, 5, 6] }),
        check('inside', 'region'),
      ],
      edges: edges('work>check', 'each>again', 'try>good', 'again>region'),
    });
    await home.ended(id);
    await home.api('PATCH', `/api/variables/${bad.id}`, { body: { value: -1 } });
    const body = { failedItems: 'again' };
    return (await home.api('POST', `/api/executions/${id}/retry`, { body })).body.executionId;
  },
  async resetLoop(home) {
    const id = await execute(home, manyItems(150, 5));
    await home.until(id, ({ executionPath }) => executionPath?.[0]?.iterations?.completed > 5);
    await beginAgain(id);
    return id;
  },
} satisfies Recipes;

function isRunning({ status }: { status: string }): boolean {
  return status === 'RUNNING';
}
