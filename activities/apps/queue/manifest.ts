import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_FLAG, A_TEXT, AN_OBJECT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const SETTLED = fixed({ itemId: A_TEXT, status: A_TEXT });

const QUEUE: Field = { key: 'queueId', label: 'Queue', type: 'text', required: true };
const REFERS_TO_QUEUE = { queueId: { kind: 'queue', by: 'id' } } as const;
const ITEM: Field = { key: 'itemId', label: 'Item', type: 'text', required: true, help: 'Its id: {{ loop.item.id }}' };

const ADD: ActionManifest = {
  actionId: 'add',
  name: 'Add an item',
  description:
    'Adds an item to a queue. An item with an existing externalId is reported as a duplicate, and may be updated.',
  inputConfig: {
    fields: [
      QUEUE,
      { key: 'data', label: 'Data', type: 'json', required: true },
      { key: 'externalId', label: 'External id', type: 'text', required: false, help: 'Unique in a queue.' },
      { key: 'metadata', label: 'Metadata', type: 'json', required: false, help: 'An object.' },
      { key: 'priority', label: 'Priority', type: 'number', required: false, default: 0, help: 'Higher first.' },
      { key: 'scheduledFor', label: 'Scheduled for', type: 'date', required: false, help: 'Not before this time.' },
      { key: 'maxRetries', label: 'Retries', type: 'number', required: false, help: "Default: the queue's value." },
      {
        key: 'objectId',
        label: 'Entity',
        type: 'text',
        required: false,
        help: 'Id of the entity of the item.',
      },
      {
        key: 'duplicates',
        label: 'If the externalId exists',
        type: 'select',
        required: false,
        default: 'skip',
        options: [
          { value: 'skip', label: 'Leave the item unchanged' },
          { value: 'update', label: 'Update the item if PENDING, RETRYING or FAILED' },
        ],
      },
    ],
    objects: ['metadata'],
    mostlyObjects: ['data'],
    refersTo: { ...REFERS_TO_QUEUE, objectId: { kind: 'object', by: 'id' } },
  },
  outputExample: { itemId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', status: 'PENDING', isDuplicate: false },
  outputSchema: fixed({ itemId: A_TEXT, status: A_TEXT, isDuplicate: A_FLAG }),
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['queues:write'],
  placement: 'remote',
};

const COMPLETE: ActionManifest = {
  actionId: 'complete',
  name: 'Complete an item',
  description: 'Completes an item of this execution before the execution ends.',
  inputConfig: { fields: [ITEM] },
  outputExample: { itemId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', status: 'COMPLETED' },
  outputSchema: SETTLED,
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['queues:write'],
  placement: 'remote',
};

const FAIL: ActionManifest = {
  actionId: 'fail',
  name: 'Fail an item',
  description: 'Records an error of an item of this execution: it is retried while retries remain, otherwise it fails.',
  inputConfig: {
    fields: [
      ITEM,
      { key: 'message', label: 'Message', type: 'text', required: true },
      { key: 'code', label: 'Code', type: 'text', required: false },
      { key: 'details', label: 'Details', type: 'json', required: false },
    ],
  },
  outputExample: { itemId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', status: 'RETRYING' },
  outputSchema: SETTLED,
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['queues:write'],
  placement: 'remote',
};

const POSTPONE: ActionManifest = {
  actionId: 'postpone',
  name: 'Postpone an item',
  description: 'Returns an item of this execution to its queue until a time. Spends no retry.',
  inputConfig: { fields: [ITEM, { key: 'until', label: 'Until', type: 'date', required: true }] },
  outputExample: { itemId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', status: 'PENDING' },
  outputSchema: SETTLED,
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['queues:write'],
  placement: 'remote',
};

const FIND: ActionManifest = {
  actionId: 'find',
  name: 'Find items',
  description: 'Items of a queue in its order: priority, then creation.',
  inputConfig: {
    fields: [
      QUEUE,
      { key: 'externalId', label: 'External id', type: 'text', required: false },
      {
        key: 'status',
        label: 'Status',
        type: 'select',
        required: false,
        options: ['PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'].map((value) => ({
          value,
          label: value,
        })),
      },
      { key: 'limit', label: 'Limit', type: 'number', required: false, default: 50, help: '1 to 500.' },
    ],
    refersTo: REFERS_TO_QUEUE,
  },
  outputExample: { items: [] },
  outputSchema: fixed({ items: listOf(AN_OBJECT) }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: ['queues:read'],
  placement: 'remote',
};

export const QUEUES: AppManifest = {
  appId: 'queue',
  name: 'Queue',
  description: 'Items of queues: work for workflows and people.',
  icon: icon('<path d="M4 6h16"/><path d="M4 12h16"/><path d="M4 18h10"/><path d="m17 16 3 2-3 2z"/>'),
  categories: ['Work'],
  connectionTypes: [],
  actions: [ADD, COMPLETE, FAIL, POSTPONE, FIND],
  triggers: [],
};
