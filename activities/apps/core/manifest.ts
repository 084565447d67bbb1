import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, AN_OBJECT, ANYTHING, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

export const SET: ActionManifest = {
  actionId: 'set',
  name: 'Set fields',
  description: 'Builds an object of fields for later steps.',
  icon: icon('<path d="M12 20h9"/><path d="M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z"/>'),
  inputConfig: {
    fields: [
      {
        key: 'values',
        label: 'Fields',
        type: 'json',
        required: true,
        help: 'An object: names and values. Each value may be an expression, e.g. {{ trigger.price * trigger.count }}.',
      },
    ],
    objects: ['values'],
  },
  outputExample: { customer: 'Ada', total: 42 },
  outputSchema: AN_OBJECT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const TRANSFORM: ActionManifest = {
  actionId: 'transform',
  name: 'Transform',
  description: 'Returns the value of one expression.',
  icon: icon(
    '<path d="m17 3 4 4-4 4"/><path d="M21 7H9a5 5 0 0 0-5 5"/><path d="m7 21-4-4 4-4"/><path d="M3 17h12a5 5 0 0 0 5-5"/>',
  ),
  inputConfig: {
    fields: [
      {
        key: 'value',
        label: 'Value',
        type: 'json',
        required: false,
        help: 'Any value, usually one expression such as {{ steps.orders.output.map(o, o.total).sum() }}.',
      },
    ],
  },
  outputExample: { names: ['Ada', 'Grace'] },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const ASSERT: ActionManifest = {
  actionId: 'assert',
  name: 'Assert',
  description:
    'Fails with ASSERTION_FAILED unless a condition holds. It is not retried, because the result would be the same.',
  icon: icon('<path d="M12 22s8-4 8-10V5l-8-3-8 3v7c0 6 8 10 8 10z"/><path d="m9 12 2 2 4-4"/>'),
  inputConfig: {
    fields: [
      { key: 'condition', label: 'Condition', type: 'boolean', required: true, help: 'E.g. {{ trigger.amount > 0 }}.' },
      {
        key: 'message',
        label: 'Message',
        type: 'text',
        required: false,
        default: 'The condition does not hold.',
        help: 'Message of the failed step.',
      },
    ],
  },
  outputExample: { passed: true },
  outputSchema: fixed({ passed: A_FLAG }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const ITEMS: Field = { key: 'items', label: 'Items', type: 'json', required: true, help: 'A list.' };
const IGNORE_CASE: Field = {
  key: 'ignoreCase',
  label: 'Ignore case',
  type: 'boolean',
  required: false,
  default: false,
  help: 'Texts that differ only in case count as equal.',
};
const PATHS = 'A field is a path such as "customer.city" or "lines.0.sku"; the empty one is the item itself.';

export const FILTER: ActionManifest = {
  actionId: 'filter',
  name: 'Filter a list',
  description: 'Keeps the items that meet the conditions, in their order.',
  icon: icon('<path d="M3 4h18l-7 8.5V20l-4-2v-5.5z"/>'),
  inputConfig: {
    fields: [
      ITEMS,
      {
        key: 'where',
        label: 'Conditions',
        type: 'json',
        required: true,
        help: `A list of {field, operator, value}. Operators: equals, notEquals, greaterThan, greaterOrEqual, lessThan, lessOrEqual (numbers with numbers, texts with texts), contains, notContains (text in text, entry in list, key in object), startsWith, endsWith, in, notIn (the value is a list), isEmpty, isNotEmpty (without a value). An absent field is null. ${PATHS}`,
      },
      {
        key: 'match',
        label: 'Match',
        type: 'select',
        required: false,
        default: 'all',
        options: [
          { value: 'all', label: 'All conditions' },
          { value: 'any', label: 'Any condition' },
        ],
      },
      IGNORE_CASE,
    ],
    editors: { where: 'rules' },
  },
  outputExample: [{ name: 'Ada', total: 42 }],
  outputSchema: listOf(),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const SORT: ActionManifest = {
  actionId: 'sort',
  name: 'Sort a list',
  description: 'Orders the items by one field or several; equal ones keep their order.',
  icon: icon(
    '<path d="m3 16 4 4 4-4"/><path d="M7 20V4"/><path d="M13 4h8"/><path d="M13 9h6"/><path d="M13 14h4"/><path d="M13 19h2"/>',
  ),
  inputConfig: {
    fields: [
      ITEMS,
      {
        key: 'by',
        label: 'By',
        type: 'json',
        required: false,
        default: [{ field: '', direction: 'asc' }],
        help: `A list of {field, direction: asc or desc}, the first counts most. Items without the field come last. ${PATHS}`,
      },
      IGNORE_CASE,
    ],
  },
  outputExample: [
    { name: 'Ada', total: 42 },
    { name: 'Grace', total: 7 },
  ],
  outputSchema: listOf(),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const GROUP: ActionManifest = {
  actionId: 'group',
  name: 'Group a list',
  description: 'Groups the items with equal fields, in order of first appearance.',
  icon: icon(
    '<rect x="3" y="3" width="7" height="7" rx="1"/><rect x="14" y="3" width="7" height="7" rx="1"/><rect x="3" y="14" width="7" height="7" rx="1"/><path d="M14 17.5h7"/><path d="M17.5 14v7"/>',
  ),
  inputConfig: {
    fields: [
      ITEMS,
      {
        key: 'by',
        label: 'By',
        type: 'json',
        required: true,
        help: `A field, or a list of them; with several, the key of a group is an object. ${PATHS}`,
      },
    ],
  },
  outputExample: [{ key: 'London', count: 1, items: [{ name: 'Ada', city: 'London' }] }],
  outputSchema: listOf(fixed({ key: ANYTHING, count: A_COUNT, items: listOf() })),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const SUMMARISE: ActionManifest = {
  actionId: 'summarise',
  name: 'Summarise a list',
  description: 'Computes figures over a list: one object, or with "by" one row per group.',
  icon: icon('<path d="M18 5H6l6 7-6 7h12"/>'),
  inputConfig: {
    fields: [
      ITEMS,
      { key: 'by', label: 'By', type: 'json', required: false, help: `A field, or a list of them. ${PATHS}` },
      {
        key: 'measures',
        label: 'Measures',
        type: 'json',
        required: false,
        default: [{ operation: 'count', as: 'count' }],
        help: 'A list of {field, operation, as}. Operations: sum, average (numbers only), min, max, count, countDistinct, first, last. Absent values and null are left out. Without "as" a figure is called e.g. sum_total; count without a field counts the items that are not null.',
      },
    ],
  },
  outputExample: [{ city: 'London', sum_total: 49, orders: 2 }],
  outputSchema: listOf(AN_OBJECT),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const MERGE_LISTS: ActionManifest = {
  actionId: 'mergeLists',
  name: 'Merge lists',
  description:
    'Combines lists into one: one after the other, without duplicates, only shared items, or joined by a field.',
  icon: icon(
    '<path d="M6 3v4a5 5 0 0 0 5 5h2a5 5 0 0 1 5 5v4"/><path d="M18 3v4a5 5 0 0 1-5 5"/><path d="m15 18 3 3 3-3"/>',
  ),
  inputConfig: {
    fields: [
      {
        key: 'lists',
        label: 'Lists',
        type: 'json',
        required: false,
        help: 'A list of lists; or give "left" and "right".',
      },
      { key: 'left', label: 'Left list', type: 'json', required: false },
      { key: 'right', label: 'Right list', type: 'json', required: false },
      {
        key: 'mode',
        label: 'Mode',
        type: 'select',
        required: false,
        default: 'concat',
        options: [
          { value: 'concat', label: 'One after the other' },
          { value: 'union', label: 'Without duplicates (the first counts)' },
          { value: 'intersect', label: 'Only items in all lists' },
          { value: 'join', label: 'Join two lists by a field' },
        ],
      },
      {
        key: 'on',
        label: 'On',
        type: 'json',
        required: false,
        help: `The field or fields that identify an item; required to join. Without it, whole items are compared. ${PATHS}`,
      },
      {
        key: 'keepUnmatched',
        label: 'Keep unmatched',
        type: 'select',
        required: false,
        default: 'none',
        help: 'For a join: whether unmatched items are kept. If both items have a field, the right one counts.',
        options: [
          { value: 'none', label: 'None' },
          { value: 'left', label: 'Of the left list' },
          { value: 'right', label: 'Of the right list' },
          { value: 'both', label: 'Of both' },
        ],
      },
    ],
  },
  outputExample: [{ id: 1, name: 'Ada', total: 42 }],
  outputSchema: listOf(),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const CORE: AppManifest = {
  appId: 'core',
  name: 'Core',
  description: 'Builds and transforms values and lists.',
  icon: icon('<path d="m12 2 9 5v10l-9 5-9-5V7z"/><path d="m3 7 9 5 9-5"/><path d="M12 12v10"/>'),
  categories: ['Data'],
  connectionTypes: [],
  actions: [SET, TRANSFORM, FILTER, SORT, GROUP, SUMMARISE, MERGE_LISTS, ASSERT],
  triggers: [],
};
