import type { Database } from '../../../prisma/client.ts';
import { callTools, say } from '../providers/modelScript.ts';
import { type AgentHome, agentHomeOn, tool } from '../workspace/agentHome.ts';
import { action, chain, control, edges, manual, question, schedule } from '../workspace/graph.ts';
import type { Home } from '../workspace/home.ts';

export interface FilledPage {
  /** Path in console/app/router.tsx. */
  route: string;
  path: string;
  /** A text that appears once the page has loaded its data. */
  shown: string;
}

export interface FilledConsole {
  home: AgentHome;
  pages: FilledPage[];
  /** Returns the page of this route; `path` selects one if several share it. */
  page(route: string, path?: string): FilledPage;
}

const ORDER = {
  slug: 'order',
  name: 'Order',
  attributeSchema: {
    type: 'object',
    required: ['total'],
    properties: {
      total: { type: 'number', minimum: 0, title: 'Total' },
      customer: { type: 'string', title: 'Customer' },
      approvedBy: { type: 'string', title: 'Approved by' },
    },
  },
  stateSchema: {
    initial: 'draft',
    states: [
      { id: 'draft', name: 'Draft', color: 'orange' },
      { id: 'approved', name: 'Approved', color: '#2b8a3e' },
      { id: 'cancelled', name: 'Cancelled', final: true },
    ],
    transitions: [
      { from: 'draft', to: 'approved', name: 'Approve' },
      { from: '*', to: 'cancelled', name: 'Cancel the order', requiresReason: true },
    ],
  },
};

const decision = [
  { key: 'approved', label: 'Approved', type: 'boolean', required: true },
  { key: 'comment', label: 'Comment', type: 'text', required: false },
];

const refund = {
  slug: 'refund',
  name: 'Refund an order',
  labels: { order: '{{ trigger.order }}' },
  trigger: manual(
    { key: 'order', label: 'Order', type: 'text', required: true },
    { key: 'amount', label: 'Amount', type: 'number', required: true },
  ),
  nodes: [
    control('big', 'condition', { condition: '{{ trigger.amount > 100 }}' }, { name: 'More than 100?' }),
    question(
      'approve',
      { title: 'Refund order {{ trigger.order }}?', fields: decision, submitters: 'members', expiresInMs: 86_400_000 },
      { name: 'Approve the refund' },
    ),
    action('pay', 'core.set', { values: { paid: '{{ trigger.amount }}' } }, { name: 'Pay' }),
  ],
  edges: edges('trigger>big', 'big:true>approve', 'big:false>pay', 'approve>pay'),
  output: '{{ steps.pay.output }}',
};

const notify = {
  slug: 'notify',
  name: 'Notify the warehouse',
  nodes: [
    action('pack', 'core.set', { values: { box: 'M' } }, { name: 'Choose a box' }),
    action(
      'call',
      'testing.fail',
      { message: 'The warehouse answered 502', retryable: false },
      { name: 'Call the warehouse' },
    ),
  ],
  edges: chain('pack', 'call'),
};

const nightly = {
  slug: 'nightly',
  name: 'Nightly report',
  trigger: schedule({ cron: '0 3 * * *' }),
  nodes: [action('report', 'core.set', { values: { rows: 3 } })],
  edges: edges('trigger>report'),
};

const BILLING = {
  slug: 'billing',
  name: 'Billing',
  runs: { on: 'http', baseUrl: 'https://billing.example' },
  actions: [
    {
      actionId: 'createInvoice',
      name: 'Create an invoice',
      inputConfig: { fields: [{ key: 'amount', label: 'Amount', type: 'number', required: true }] },
    },
  ],
};

async function made(home: Home, path: string, body: object): Promise<{ id: string }> {
  const answer = await home.api('POST', path, { body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Fills the workspace with the data of a small shop. Returns all pages of its console, at least one per route. */
export async function fillConsole(bare: Home, database: Database): Promise<FilledConsole> {
  const home = await agentHomeOn(bare, database, {
    tools: [tool('testing', 'succeed', { policy: 'approve' })],
    suggestedPrompts: ['Where is my order?'],
  });
  const [refundId, notifyId] = [await home.deploy(refund), await home.deploy(notify)];
  await home.deploy(nightly);
  const failed = await home.execute(notifyId);
  await home.ended(failed);
  const small = await home.execute(refundId, { order: 'A-1041', amount: 12.5 });
  await home.ended(small);
  const big = await home.execute(refundId, { order: 'A-1042', amount: 420 });
  await home.asked(big, 'approve');

  const queue = await made(home, `/api/queues?projectId=${home.projectId}`, { name: 'Returns', maxRetries: 0 });
  const items = Array.from({ length: 5 }, (_, at) => ({
    externalId: `return-${at + 1}`,
    data: { order: `A-104${at}`, reason: at % 2 === 0 ? 'broken' : 'too small' },
  }));
  await made(home, `/api/queues/${queue.id}/items/bulk`, { items });
  const [claimed] = (
    await home.api('POST', `/api/queues/${queue.id}/items/claim`, { body: { limit: 1, worker: 'desk-3' } })
  ).body;
  const error = { message: 'No account', code: 'NONE' };
  await made(home, `/api/queues/${queue.id}/items/${claimed.id}/error`, { error });

  await made(home, '/api/object-types/upsert', ORDER);
  const order = await made(home, '/api/objects', {
    objectTypeSlug: 'order',
    name: 'Order A-1042',
    attributes: { total: 420, customer: 'Ada Lovelace' },
  });
  await made(home, '/api/objects', {
    objectTypeSlug: 'order',
    name: 'Order A-1041',
    attributes: { total: 12.5, customer: 'Bob' },
  });

  await made(home, '/api/workflow-apps/http/connections/apiKey/connect', {
    name: 'Shop',
    credentials: { apiKey: 'k-4711-0815', allowedHosts: ['api.shop.example'] },
  });
  await made(home, `/api/projects/${home.projectId}/apps/upsert`, BILLING);
  await made(home, '/api/variables', { name: 'LIMITS', value: { orders: 5 } });
  await made(home, '/api/variables', { name: 'TOKEN', value: 'x-1', isSecret: true });
  await made(home, '/api/workspace/users', { email: 'grace@shop.example', name: 'Grace', role: 'builder' });
  await made(home, '/api/api-keys', { name: 'Warehouse', permissions: ['executions:read'] });

  const handbook = await made(home, '/api/knowledge', { name: 'Handbook', embeddingProvider: 'local' });
  for (const [name, text] of [
    ['Refunds', 'Refunds are paid within five days after the goods have come back.'],
    ['Parking', 'Cars of visitors stand behind the house.'],
  ] as const) {
    await made(home, `/api/knowledge/${handbook.id}/saveUploadedText`, { name, text });
  }

  home.provider.answer([
    { reasoning: 'Look it up.' },
    ...say('Let me **see** where it is.'),
    ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }),
  ]);
  const taskId = 'where-is-a-1042';
  await home.send(taskId, 'Where is order A-1042?');

  const { agentId } = home;
  const settings = (name: string, shown: string): FilledPage => ({
    route: `/settings/${name}`,
    path: `/settings/${name}`,
    shown,
  });
  const pages: FilledPage[] = [
    { route: '/', path: '/', shown: 'Refund order A-1042?' },
    { route: '/inbox', path: '/inbox', shown: 'Refund order A-1042?' },
    { route: '/executions', path: '/executions', shown: '#3' },
    { route: '/executions/$executionId', path: `/executions/${big}`, shown: 'Approve the refund' },
    {
      route: '/executions/$executionId/compare',
      path: `/executions/${big}/compare?with=${small}`,

      shown: 'Approve the refund',
    },
    { route: '/workflows', path: '/workflows', shown: 'Refund an order' },
    { route: '/workflows/$workflowId', path: `/workflows/${refundId}`, shown: 'Pay' },
    {
      route: '/workflows/$workflowId/edit',
      path: `/workflows/${refundId}/edit`,

      shown: 'Approve the refund',
    },
    { route: '/workflows/new', path: '/workflows/new', shown: 'Publish' },
    { route: '/templates', path: '/templates', shown: 'Approve an order' },
    { route: '/queues', path: '/queues', shown: 'Returns' },
    { route: '/queues/$queueId', path: `/queues/${queue.id}`, shown: 'return-2' },
    { route: '/objects', path: '/objects', shown: 'Order' },
    { route: '/objects/$typeSlug', path: '/objects/order', shown: 'Order A-1042' },
    {
      route: '/objects/$typeSlug',
      path: '/objects/order?tab=board',

      shown: 'Order A-1042',
    },
    { route: '/objects/$typeSlug/$id', path: `/objects/order/${order.id}`, shown: 'Approve' },
    { route: '/agents', path: '/agents', shown: '1 task waits for approval' },
    { route: '/agents/$agentId', path: `/agents/${agentId}`, shown: 'Where is my order?' },
    {
      route: '/agents/$agentId',
      path: `/agents/${agentId}?tab=settings`,

      shown: 'Instructions',
    },
    {
      route: '/agents/$agentId/tasks/$taskId',
      path: `/agents/${agentId}/tasks/${taskId}`,

      shown: 'where it is',
    },
    { route: '/knowledge', path: '/knowledge', shown: 'Handbook' },
    { route: '/knowledge/$knowledgeId', path: `/knowledge/${handbook.id}`, shown: 'Refunds' },
    { route: '/apps', path: '/apps', shown: 'Billing' },
    { route: '/apps/$appId', path: '/apps/billing', shown: 'Create an invoice' },
    settings('connections', 'Shop'),
    settings('variables', 'LIMITS'),
    settings('people', 'grace@shop.example'),
    settings('keys', 'Warehouse'),
    settings('audit', 'Export CSV'),
    settings('account', 'Sessions'),
    settings('system', 'All parts answer.'),
  ];
  return {
    home,
    pages,
    page(route, path = '') {
      const found = pages.find((each) => each.route === route && each.path.includes(path));
      if (found === undefined) throw new Error(`no page of ${route} with ${path}`);
      return found;
    },
  };
}

/** Selects the pages or items that a test visits: all with EVERY_PAGE, otherwise every fifth. */
export const walked = <Of>(all: Of[]) =>
  process.env.EVERY_PAGE === undefined ? all.filter((_, at) => at % 5 === 0) : all;
