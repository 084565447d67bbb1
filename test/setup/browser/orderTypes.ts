import { type Home, homeWithOwner } from '../workspace/home.ts';
import { logInThere, openConsole } from './consolePage.ts';

const CUSTOMER = {
  slug: 'customer',
  name: 'Customer',
  attributeSchema: { type: 'object', properties: { email: { type: 'string' } } },
};
const ORDER = {
  slug: 'order',
  name: 'Order',
  attributeSchema: {
    type: 'object',
    required: ['total'],
    properties: {
      total: { type: 'number', minimum: 0, title: 'Total' },
      kind: { enum: ['web', 'shop', 'phone', 'fair', 'mail'], title: 'Kind' },
      approvedBy: { type: 'string', title: 'Approved by' },
      customer: { type: 'string', 'x-objectType': 'customer', title: 'Customer' },
      lines: { type: 'array', items: { type: 'object' }, title: 'Lines' },
    },
  },
  stateSchema: {
    initial: 'draft',
    states: [
      { id: 'draft', name: 'Draft', color: 'orange' },
      { id: 'approved', name: 'Approved', requiredFields: ['approvedBy'], color: '#2b8a3e' },
      { id: 'cancelled', name: 'Cancelled', final: true },
    ],
    transitions: [
      { from: 'draft', to: 'approved', name: 'Approve' },
      { from: '*', to: 'cancelled', name: 'Cancel the order', requiresReason: true },
    ],
  },
};

export async function withTypes(home: Home): Promise<void> {
  for (const body of [CUSTOMER, ORDER]) {
    const answer = await home.api('POST', '/api/object-types/upsert', { body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

export async function addEntity(
  home: Home,
  name: string,
  attributes: object,
  objectTypeSlug = 'order',
): Promise<string> {
  const answer = await home.api('POST', '/api/objects', { body: { objectTypeSlug, name, attributes } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

export async function entitiesSeen(path: string, prepare: (home: Home) => Promise<unknown> = withTypes) {
  const { home, owner } = await homeWithOwner();
  await prepare(home);
  const { page, complaints } = await openConsole(home.url, `/console/objects${path}`);
  await logInThere(page, owner);
  return { home, page, complaints, dialog: page.getByRole('dialog') };
}
