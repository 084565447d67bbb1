import type { ActionManifest, AppManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, ANYTHING, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field, InputField } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const STORE: ConnectionType = {
  connectionId: 'custom',
  name: 'S3 store',
  type: 'custom',
  fields: [
    {
      key: 'endpoint',
      label: 'Endpoint',
      type: 'text',
      required: false,
      help: 'For a store other than AWS, such as https://minio.example.com. Buckets are then in the path.',
    },
    { key: 'region', label: 'Region', type: 'text', required: true, default: 'us-east-1' },
    { key: 'accessKeyId', label: 'Access key ID', type: 'text', required: true },
    { key: 'secretAccessKey', label: 'Secret access key', type: 'secret', required: true },
  ],
};

const BUCKET: InputField = { key: 'bucket', label: 'Bucket', type: 'text', required: true, options: { load: true } };
const KEY: Field = { key: 'key', label: 'Key', type: 'text', required: true, help: 'Such as orders/17.json.' };

const COMMON = {
  repeatable: true,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
  timeoutMs: 60_000,
} satisfies Partial<ActionManifest>;

const GET: ActionManifest = {
  actionId: 'get',
  name: 'Read an object',
  description: 'Reads a text or JSON object of at most MAX_OUTPUT_BYTES. Other bytes fail with S3_NOT_TEXT.',
  inputConfig: {
    fields: [
      BUCKET,
      KEY,
      {
        key: 'format',
        label: 'Format',
        type: 'select',
        required: false,
        default: 'auto',
        options: [
          { value: 'auto', label: 'By content type' },
          { value: 'text', label: 'Text' },
          { value: 'json', label: 'JSON' },
        ],
      },
    ],
  },
  outputExample: {
    ...{ body: { total: 42 }, contentType: 'application/json', size: 12 },
    ...{ etag: '"0c1f9a7e"', lastModified: '2026-11-21T10:15:30.000Z' },
  },
  outputSchema: fixed({
    ...{ body: ANYTHING, contentType: A_TEXT, size: A_COUNT, etag: A_TEXT, lastModified: A_TEXT },
  }),
  effect: 'read',
  ...COMMON,
};

const PUT: ActionManifest = {
  actionId: 'put',
  name: 'Write an object',
  description:
    'Writes or replaces an object of at most MAX_OUTPUT_BYTES. A text is stored as it is, other values as JSON.',
  inputConfig: {
    fields: [
      BUCKET,
      KEY,
      {
        key: 'body',
        label: 'Content',
        type: 'json',
        required: true,
        help: 'A text, or a value that is stored as JSON.',
      },
      {
        key: 'contentType',
        label: 'Content type',
        type: 'text',
        required: false,
        help: 'Default: text/plain; charset=utf-8 for a text, else application/json.',
      },
    ],
    mostlyObjects: ['body'],
  },
  outputExample: { key: 'orders/17.json', size: 12, etag: '"0c1f9a7e"' },
  outputSchema: fixed({ key: A_TEXT, size: A_COUNT, etag: A_TEXT }),
  effect: 'write',
  ...COMMON,
};

const LIST: ActionManifest = {
  actionId: 'list',
  name: 'List objects',
  description: 'Lists objects in the order of their keys.',
  inputConfig: {
    fields: [
      BUCKET,
      { key: 'prefix', label: 'Prefix', type: 'text', required: false, default: '', help: 'Such as orders/.' },
      {
        key: 'delimiter',
        label: 'Delimiter',
        type: 'text',
        required: false,
        help: 'With /, the keys below a further / are one entry of prefixes, as in a folder.',
      },
      { key: 'after', label: 'After', type: 'text', required: false, help: 'Only keys that sort after this one.' },
      { key: 'limit', label: 'Most objects', type: 'number', required: false, default: 1_000, help: '1 to 10,000.' },
    ],
  },
  outputExample: {
    objects: [{ key: 'orders/17.json', size: 12, etag: '"0c1f9a7e"', lastModified: '2026-11-21T10:15:30.000Z' }],
    prefixes: [],
    truncated: false,
  },
  outputSchema: fixed({
    objects: listOf(fixed({ key: A_TEXT, size: A_COUNT, etag: A_TEXT, lastModified: A_TEXT })),
    prefixes: listOf(A_TEXT),
    truncated: A_FLAG,
  }),
  effect: 'read',
  ...COMMON,
};

const DELETE: ActionManifest = {
  actionId: 'delete',
  name: 'Delete an object',
  description: 'Deletes an object. It is no error if there is none.',
  inputConfig: { fields: [BUCKET, KEY] },
  outputExample: { key: 'orders/17.json' },
  outputSchema: fixed({ key: A_TEXT }),
  effect: 'destructive',
  ...COMMON,
};

export const S3: AppManifest = {
  appId: 's3',
  name: 'S3',
  description: 'Reads and writes objects of Amazon S3 and compatible stores.',
  icon: icon('<path d="M4 6h16l-2 14H6z"/><ellipse cx="12" cy="6" rx="8" ry="3"/>'),
  categories: ['Storage'],
  connectionTypes: [STORE],
  actions: [GET, PUT, LIST, DELETE],
  triggers: [],
};
