import { createWorkspace } from '../../api/access/createWorkspace.ts';
import type { Person } from '../setup/browser/consolePage.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { inject } from '../setup/stack/inject.ts';
import { type AgentHome, agentHomeOn, tool } from '../setup/workspace/agentHome.ts';
import { action, chain, control, edges, manual, question, schedule } from '../setup/workspace/graph.ts';
import { homeOf } from '../setup/workspace/home.ts';
import { stackDatabase, TEST_HASH_COST } from '../setup/workspace/workspace.ts';

// A shop after a day of work, for the pictures of README and docs.

const CUSTOMERS = ['Ada Byron', 'Linus Holm', 'Grace Hohn', 'Alan Reyes', 'Joan Ito', 'Mary Jackson', 'Edith Clarke'];
const customerOf = (at: number) => CUSTOMERS[at % CUSTOMERS.length] ?? '';
const REASONS = ['The backpack has a broken zip.', 'The parcel came open; two notebooks are wet.', 'It is too small.'];

const refund = {
  name: 'Refund an order',
  labels: { order: '{{ trigger.order }}', customer: '{{ trigger.customer }}' },
  trigger: manual(
    { key: 'order', label: 'Order', type: 'text', required: true },
    { key: 'customer', label: 'Customer', type: 'text', required: true },
    { key: 'amount', label: 'Amount', type: 'number', required: true },
    { key: 'reason', label: 'Reason', type: 'text', required: true },
  ),
  nodes: [
    control('isLarge', 'condition', { condition: '{{ trigger.amount > 100 }}' }, { name: 'Is it large?' }),
    question(
      'ask',
      {
        title: 'Refund {{ trigger.amount }} € to {{ trigger.customer }}?',
        instructions: '{{ trigger.reason }}',
        fields: [
          { key: 'approved', label: 'Approve it?', type: 'boolean', required: true },
          { key: 'comment', label: 'Comment', type: 'text', required: false },
        ],
        submitters: 'members',
        expiresInMs: 2 * 86_400_000,
      },
      { name: 'Approve the refund' },
    ),
    action('pay', 'core.set', { values: { paid: '{{ trigger.amount }}' } }, { name: 'Pay it' }),
  ],
  edges: edges('trigger>isLarge', 'isLarge:true>ask', 'isLarge:false>pay', 'ask>pay'),
};

const stock = (url: string) => ({
  name: 'Sync stock',
  labels: { article: '{{ trigger.article }}' },
  trigger: manual({ key: 'article', label: 'Article', type: 'text', required: true }),
  nodes: [
    action('read', 'http.request', { url }, { name: 'Read the stock', retry: { maximumAttempts: 1 } }),
    action('store', 'core.set', { values: { left: 3 } }, { name: 'Store it' }),
  ],
  edges: chain('trigger', 'read', 'store'),
});

const report = {
  name: 'Monthly report',
  trigger: schedule({ cron: '0 6 1 * *' }),
  nodes: [action('sum', 'core.set', { values: { rows: 3 } })],
  edges: edges('trigger>sum'),
};

const ORDER = {
  slug: 'order',
  name: 'Order',
  attributeSchema: {
    type: 'object',
    properties: { customer: { type: 'string', title: 'Customer' }, total: { type: 'number', title: 'Total' } },
  },
  stateSchema: {
    initial: 'received',
    states: [
      { id: 'received', name: 'Received', color: 'blue' },
      { id: 'review', name: 'In review', color: 'yellow' },
      { id: 'approved', name: 'Approved', color: 'teal' },
      { id: 'shipped', name: 'Shipped', color: 'green', final: true },
    ],
    transitions: [
      { from: 'received', to: 'review' },
      { from: 'review', to: 'approved' },
      { from: 'approved', to: 'shipped' },
    ],
  },
};
const MOVES = ['review', 'approved', 'shipped'];

export interface Shop {
  home: AgentHome;
  owner: Person;
  refundId: string;
  waiting: string;
}

/** On the shared stack. `service` responds below its address, and fails for some paths. */
export async function makeShop(service: { url: string; fails: Set<string> }): Promise<Shop> {
  const { url } = inject('stack');
  const owner = { email: 'ann.lee@shop.example', password: 'a password of four words' };
  const made = await createWorkspace(stackDatabase(), { name: 'Shop', ...owner }, TEST_HASH_COST);
  const home = await agentHomeOn(homeOf({ ...made, password: owner.password, url: () => url }), stackDatabase(), {
    name: 'Order desk',
    tools: [tool('http', 'request', { policy: 'approve' })],
  });
  const ann = await home.person();
  const post = async (path: string, body: object) => {
    const answer = await home.api('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ann('PATCH', '/api/users/me', { body: { name: 'Ann Lee' } });

  for (const [name, count] of [
    ['Returns to look at', 4],
    ['Photos to check', 2],
  ] as const) {
    const { id } = await post(`/api/queues?projectId=${home.projectId}`, { name });
    const items = Array.from({ length: count }, (_, at) => ({ externalId: `A-10${40 + at}`, data: { part: at } }));
    await post(`/api/queues/${id}/items/bulk`, { items });
  }

  await post('/api/object-types/upsert', ORDER);
  for (let at = 0; at < 13; at += 1) {
    const attributes = { customer: customerOf(at), total: 40 + ((at * 67) % 300) };
    const { id } = await post('/api/objects', { objectTypeSlug: 'order', name: `A-10${42 + at}`, attributes });
    for (const state of MOVES.slice(0, at % 4)) await post(`/api/objects/${id}/state`, { state });
  }

  const stockId = await home.deploy({ ...stock(`${service.url}/{{ trigger.article }}`), slug: 'stock' });
  const refundId = await home.deploy({ ...refund, slug: 'refund' });
  await home.deploy({ ...report, slug: 'report' });
  let waiting = '';
  for (let at = 0; at < 24; at += 1) {
    const article = `backpack-${at}`;
    if (at % 7 === 3) service.fails.add(article);
    await home.ended(await home.execute(stockId, { article }));
    if (at % 4 !== 1) continue;
    const amount = 60 + ((at * 41) % 200);
    const reason = REASONS[at % REASONS.length] ?? '';
    const started = await home.execute(refundId, { order: `A-10${42 + at}`, customer: customerOf(at), amount, reason });
    if (amount <= 100) await home.ended(started);
    else {
      await home.asked(started, 'ask');
      waiting = started;
    }
  }

  const look = { id: 'c1', name: 'http_request', arguments: { url: `${service.url}/order` } };
  home.provider.answer([...say('I look at the order.'), ...callTools(look)]);
  await home.send('refund-for-ada', 'Where is the refund of Ada?');
  return { home, owner, refundId, waiting };
}
