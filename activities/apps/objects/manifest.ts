import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_TEXT, ANYTHING, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

/** Large attributes may be replaced by a link. */
const ENTITY_SCHEMA = fixed(
  { id: A_TEXT, name: A_TEXT, state: { type: ['string', 'null'] }, objectTypeId: A_TEXT },
  { attributes: ANYTHING, attributesLink: A_TEXT, attributesBytes: A_COUNT },
);

const TYPE: Field = { key: 'objectTypeSlug', label: 'Entity type', type: 'text', required: true };
const REFERS_TO_TYPE = { objectTypeSlug: { kind: 'objectType', by: 'slug' } } as const;
const REFERS_TO_ENTITY = { id: { kind: 'object', by: 'id' } } as const;
const ID: Field = { key: 'id', label: 'Entity', type: 'text', required: true, help: 'Its id.' };
const ENTITY = {
  id: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
  name: 'Order 1042',
  state: 'draft',
  objectTypeId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e60',
  attributes: { total: 99.5 },
};

const CREATE: ActionManifest = {
  actionId: 'create',
  name: 'Create an entity',
  description: 'Creates an entity, in the initial state of its type. A retried step creates it once.',
  inputConfig: {
    fields: [
      TYPE,
      { key: 'name', label: 'Name', type: 'text', required: true },
      { key: 'attributes', label: 'Attributes', type: 'json', required: false },
      { key: 'state', label: 'State', type: 'text', required: false, help: 'Default: the initial state.' },
      { key: 'ownerId', label: 'Owner', type: 'text', required: false, help: 'Id of a user.' },
    ],
    objects: ['attributes'],
    refersTo: REFERS_TO_TYPE,
  },
  outputExample: ENTITY,
  outputSchema: ENTITY_SCHEMA,
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['objects:write'],
  placement: 'remote',
};

const UPDATE: ActionManifest = {
  actionId: 'update',
  name: 'Update an entity',
  description: 'Merges attributes at the top level; null removes one. Empty fields stay unchanged.',
  inputConfig: {
    fields: [
      ID,
      { key: 'name', label: 'Name', type: 'text', required: false },
      { key: 'attributes', label: 'Attributes', type: 'json', required: false },
      { key: 'ownerId', label: 'Owner', type: 'text', required: false, help: 'Id of a user.' },
    ],
    objects: ['attributes'],
    refersTo: REFERS_TO_ENTITY,
  },
  outputExample: ENTITY,
  outputSchema: ENTITY_SCHEMA,
  effect: 'write',
  repeatable: true,
  requiresConnection: false,
  permissions: ['objects:write'],
  placement: 'remote',
};

const FIND: ActionManifest = {
  actionId: 'find',
  name: 'Find entities',
  description: 'Finds entities of a type, most recently updated first by default; total is their number.',
  inputConfig: {
    fields: [
      TYPE,
      {
        key: 'attributes',
        label: 'Attributes',
        type: 'json',
        required: false,
        help: 'Only entities that have all these values.',
      },
      {
        key: 'states',
        label: 'States',
        type: 'json',
        required: false,
        help: 'A list: only entities in one of these states.',
      },
      { key: 'search', label: 'Name contains', type: 'text', required: false },
      {
        key: 'sortBy',
        label: 'Sort by',
        type: 'text',
        required: false,
        help: 'name, state, createdAt, updatedAt or attributes.<name>.',
      },
      {
        key: 'sortOrder',
        label: 'Order',
        type: 'select',
        required: false,
        options: [
          { value: 'asc', label: 'Ascending' },
          { value: 'desc', label: 'Descending' },
        ],
      },
      { key: 'limit', label: 'Most entities', type: 'number', required: false, default: 100, help: '1 to 1,000.' },
    ],
    objects: ['attributes'],
    refersTo: REFERS_TO_TYPE,
  },
  outputExample: { items: [ENTITY], total: 1 },
  outputSchema: fixed({ items: listOf(ENTITY_SCHEMA), total: A_COUNT }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: ['objects:read'],
  placement: 'remote',
};

const SET_STATE: ActionManifest = {
  actionId: 'setState',
  name: 'Move an entity to a state',
  description: 'Moves an entity as its type allows; the history names the execution. A retried step moves it once.',
  inputConfig: {
    fields: [
      ID,
      { key: 'state', label: 'State', type: 'text', required: true },
      { key: 'reason', label: 'Reason', type: 'text', required: false },
      {
        key: 'attributes',
        label: 'Attributes',
        type: 'json',
        required: false,
        help: 'Written with the move, or not at all.',
      },
    ],
    objects: ['attributes'],
    refersTo: REFERS_TO_ENTITY,
  },
  outputExample: { ...ENTITY, state: 'approved' },
  outputSchema: ENTITY_SCHEMA,
  effect: 'write',
  repeatable: false,
  usesKey: true,
  requiresConnection: false,
  permissions: ['objects:write'],
  placement: 'remote',
};

export const OBJECTS: AppManifest = {
  appId: 'objects',
  name: 'Entities',
  description: 'Creates, changes, moves and finds entities of the workspace.',
  icon: icon('<path d="M12 3 4 7v10l8 4 8-4V7z"/><path d="m4 7 8 4 8-4"/><path d="M12 11v10"/>'),
  categories: ['Platform'],
  connectionTypes: [],
  actions: [CREATE, UPDATE, FIND, SET_STATE],
  triggers: [
    {
      triggerId: 'changed',
      name: 'Entity changed',
      description:
        'Each change of an entity, in order: created, updated, stateChanged, deleted or restored, with the entity at the time of the poll. Changes are kept for a week.',
      permissions: ['objects:read'],
      inputConfig: {
        fields: [
          {
            key: 'objectTypeSlug',
            label: 'Entity type',
            type: 'text',
            required: false,
            help: 'Empty: all types.',
          },
          {
            key: 'changes',
            label: 'Changes',
            type: 'multiSelect',
            required: false,
            help: 'Empty: all changes.',
            options: [
              { value: 'created', label: 'Created' },
              { value: 'updated', label: 'Updated' },
              { value: 'stateChanged', label: 'Moved to another state' },
              { value: 'deleted', label: 'Deleted' },
              { value: 'restored', label: 'Restored' },
            ],
          },
        ],
        refersTo: REFERS_TO_TYPE,
      },
    },
  ],
};
