import type { ObjectType } from './queries.ts';

type Schemas = Pick<ObjectType, 'attributeSchema' | 'stateSchema'>;

export const TEMPLATES: Record<'order' | 'customer' | 'claim' | 'blank', Schemas> = {
  order: {
    attributeSchema: {
      type: 'object',
      required: ['total'],
      properties: {
        total: { type: 'number', minimum: 0, title: 'Total' },
        email: { type: 'string', format: 'email', title: 'E-mail' },
        approvedBy: { type: 'string', title: 'Approved by' },
      },
    },
    stateSchema: {
      initial: 'draft',
      states: [
        { id: 'draft', name: 'Draft' },
        { id: 'approved', name: 'Approved', requiredFields: ['approvedBy'] },
        { id: 'cancelled', name: 'Cancelled', final: true },
      ],
      transitions: [
        { from: 'draft', to: 'approved', name: 'Approve' },
        { from: '*', to: 'cancelled', name: 'Cancel', requiresReason: true },
      ],
    },
  },
  customer: {
    attributeSchema: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', title: 'E-mail' },
        phone: { type: 'string', title: 'Phone' },
        since: { type: 'string', format: 'date', title: 'Since' },
      },
    },
    stateSchema: null,
  },
  claim: {
    attributeSchema: {
      type: 'object',
      required: ['amount'],
      properties: {
        amount: { type: 'number', minimum: 0, title: 'Amount' },
        kind: { enum: ['damage', 'loss', 'delay'], title: 'Kind' },
        what: { type: 'string', maxLength: 5000, title: 'What happened' },
      },
    },
    stateSchema: {
      initial: 'open',
      states: [
        { id: 'open', name: 'Open' },
        { id: 'checked', name: 'Checked' },
        { id: 'paid', name: 'Paid', final: true },
        { id: 'refused', name: 'Refused', final: true },
      ],
      transitions: [
        { from: 'open', to: 'checked', name: 'Check' },
        { from: 'checked', to: 'paid', name: 'Pay' },
        { from: 'checked', to: 'refused', name: 'Refuse', requiresReason: true },
      ],
    },
  },
  blank: { attributeSchema: { type: 'object', properties: {} }, stateSchema: null },
};
