import { api } from '../api/client.ts';
import { makeWorkspace } from './workspace.ts';

export const ORDER_TYPE = {
  slug: 'order',
  name: 'Order',
  attributeSchema: {
    type: 'object',
    required: ['total'],
    properties: {
      total: { type: 'number', minimum: 0 },
      email: { type: 'string', format: 'email' },
      sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      approvedBy: { type: 'string' },
      paid: { type: 'boolean' },
      note: { type: 'string' },
      customer: { type: 'string', 'x-objectType': 'customer' },
    },
  },
  stateSchema: {
    initial: 'draft',
    states: [
      { id: 'draft', name: 'Draft' },
      { id: 'approved', name: 'Approved', requiredFields: ['approvedBy'] },
      { id: 'shipped', name: 'Shipped', color: 'green' },
      { id: 'cancelled', name: 'Cancelled', final: true },
    ],
    transitions: [
      { from: 'draft', to: 'approved', name: 'Approve' },
      { from: 'approved', to: 'shipped' },
      { from: '*', to: 'cancelled', name: 'Cancel', requiresReason: true },
    ],
  },
};

export async function orderDesk() {
  const { apiKey: key, url, email, password, workspaceId } = await makeWorkspace();
  const call = api(url, key);
  const post = (path: string, body: unknown) => call('POST', path, { body });
  const type = await post('/api/object-types/upsert', ORDER_TYPE);
  return {
    key,
    url,
    email,
    password,
    workspaceId,
    typeId: String(type.body.id),
    call,
    post,
    get: (path: string) => call('GET', path),
    create: (body: object, query = '') => post(`/api/objects${query}`, { objectTypeSlug: 'order', ...body }),
  };
}
