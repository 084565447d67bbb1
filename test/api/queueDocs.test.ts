import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runExamples } from '../../embedded/examples/examples.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const PAGE = join(PROJECT_ROOT, 'docs/queues.md');
const BY_HAND = commandsOf(PAGE, 'Work on items by hand');

test('docs/queues.md: work on items, as it is written', async () => {
  const answers = answersOf(await printedBy(BY_HAND, await makeWorkspace()));
  const [made, bulk, ready, beaten, done, read, found, stats] = answers;
  expect(made).toMatchObject({ externalId: 'order-1017', status: 'PENDING' });
  expect(bulk.summary).toMatchObject({ requested: 1, created: 1 });
  expect(ready.map((item: { externalId: string }) => item.externalId)).toEqual(['order-1017', 'order-1018']);
  expect(beaten).toMatchObject({ id: made.id, lease: { worker: 'desk-3' } });
  expect(done).toMatchObject({ id: made.id, status: 'COMPLETED' });
  expect(read.history.at(-1)).toMatchObject({ to: 'COMPLETED', note: 'refunded by hand' });
  expect(found.pagination.total).toBe(1);
  expect(stats.byStatus).toMatchObject({ PENDING: 1, COMPLETED: 1 });
});

test('docs/queues.md: the order desk, as it is written', async () => {
  const workspace = await makeWorkspace();
  const said: string[] = [];
  const start = () =>
    runExamples(['order-desk'], {
      credentials: { ...workspace, temporalUiUrl: null },
      namespace: 'default',
      say: (line) => said.push(line),
    });
  await start();
  expect(said).toEqual(expect.arrayContaining(['  Order 1  shipped', '  Order 2  review']));
  const helpers = BY_HAND.slice(0, BY_HAND.indexOf('# A queue'));
  const printed = await printedBy(`${helpers}\n${commandsOf(PAGE, 'Try the order desk')}`, workspace);
  const [orders, transitions, , approved, reviewed, shipped, history] = answersOf(printed);
  expect(orders.items.map(({ state }: { state: string }) => state)).toEqual(['shipped', 'review']);
  expect(transitions.transitions).toContainEqual(
    expect.objectContaining({ to: 'approved', missingFields: ['approvedBy'] }),
  );
  expect(approved.state).toBe('approved');
  expect(reviewed.status).toBe('COMPLETED');
  expect(shipped).toMatchObject({ name: 'Order 2', state: 'shipped' });
  expect(history.map(({ to }: { to: string }) => to)).toEqual(['shipped', 'approved', 'review']);
  // A second start finds all of it, and makes nothing twice.
  said.length = 0;
  await start();
  expect(said).toEqual(expect.arrayContaining(['  Order 1  shipped', '  Order 2  shipped']));
});

test('an unknown example is an error before anything starts', async () => {
  const credentials = { ...(await makeWorkspace()), temporalUiUrl: null };
  const refused = runExamples(['order-desk', 'order-disk'], { credentials, namespace: 'd', say: () => {} });
  await expect(refused).rejects.toThrow(
    '--example order-disk: expected one of order-summary, order-approval, order-desk, support-agent, nightly-report, ',
  );
});
