import { expect, test } from '@jest/globals';
import { action, control, edges, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

/** Every object has members of these names, also one that holds what became of the nodes. */
const NAMES = ['constructor', '__proto__'];

test.each(NAMES)('a loop called %s and the nodes in it run like any other', async (id) => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        action('a', 'core.transform', { value: 1 }),
        control(id, 'forEach', { items: [1, 2] }),
        action('toString', 'testing.wait', { ms: 1 }, { parentId: id }),
        action('valueOf', 'core.transform', { value: `{{ loop.item + loops["${id}"].index }}` }, { parentId: id }),
        question('hasOwnProperty'),
        action('z', 'core.transform', { value: `{{ steps["${id}"].output }}` }),
      ],
      edges: edges(`a>${id}`, `${id}>z`, 'toString>valueOf', 'a>hasOwnProperty'),
    }),
  );
  await home.asked(executionId, 'hasOwnProperty');
  await home.submit(executionId, 'hasOwnProperty', { answer: 'yes' });
  const { status, output } = await home.ended(executionId);
  expect({ status, output }).toMatchObject({
    status: 'COMPLETED',
    output: { z: [1, 3], hasOwnProperty: { answer: 'yes' } },
  });
});

test.each(NAMES)('a node called %s runs, inline and remotely, is retried, and ends a branch', async (id) => {
  const home = await makeHome();
  const retry = { maximumAttempts: 3, initialIntervalMs: 1 };
  const remote = await home.run({
    nodes: [
      action(id, 'testing.fail', { times: 2 }, { retry }),
      action('b', 'testing.succeed', { output: `{{ steps["${id}"].output.attempt }}` }),
    ],
    edges: edges(`${id}>b`),
  });
  expect(remote).toMatchObject({ status: 'COMPLETED', output: 3 });
  const inline = await home.run({
    nodes: [action(id, 'core.transform', { value: 1 }), action('b', 'testing.succeed')],
  });
  expect(new Map(Object.entries(inline.output))).toEqual(
    new Map([
      [id, 1],
      ['b', null],
    ]),
  );
});
