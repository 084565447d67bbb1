import type { ActionManifest, AppManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, AN_OBJECT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const ROWS = fixed({
  rows: listOf(AN_OBJECT),
  rowCount: A_COUNT,
  fields: listOf(fixed({ name: A_TEXT, type: A_TEXT })),
  truncated: A_FLAG,
});

const SERVER: ConnectionType = {
  connectionId: 'custom',
  name: 'Postgres server',
  type: 'custom',
  fields: [
    { key: 'host', label: 'Host', type: 'text', required: true, help: 'A name or an address, without a scheme.' },
    { key: 'port', label: 'Port', type: 'number', required: false, default: 5432 },
    { key: 'database', label: 'Database', type: 'text', required: true },
    { key: 'user', label: 'User', type: 'text', required: true },
    { key: 'password', label: 'Password', type: 'secret', required: true },
    {
      key: 'ssl',
      label: 'Encryption',
      type: 'select',
      required: false,
      options: [
        { value: 'verify-full', label: 'TLS; the certificate is checked' },
        { value: 'require', label: 'TLS; any certificate' },
        { value: 'disable', label: 'None' },
      ],
      help: "Default: verify-full; for a host of HTTP_ALLOWED_PRIVATE_HOSTS, the operator's own network, none.",
    },
    {
      key: 'ca',
      label: 'Certificate authority',
      type: 'longText',
      required: false,
      help: 'PEM; for verify-full, if the certificate is not signed by a public authority.',
    },
  ],
};

const FIELDS: Field[] = [
  {
    key: 'sql',
    label: 'SQL',
    type: 'longText',
    required: true,
    help: 'One statement. Write values as $1, $2, … and list them in the parameters. Never write an expression into the statement.',
  },
  {
    key: 'parameters',
    label: 'Parameters',
    type: 'json',
    required: false,
    help: 'A list: the first is $1. Bound by the server. An object is sent as JSON, a list as an array of Postgres, as in = ANY($1); {{ json(x) }} sends a list as JSON.',
  },
  {
    key: 'limit',
    label: 'Most rows',
    type: 'number',
    required: false,
    default: 1_000,
    help: 'At most POSTGRES_MAX_ROWS. With more rows truncated is true.',
  },
  {
    key: 'timeoutMs',
    label: 'Timeout (ms)',
    type: 'number',
    required: false,
    default: 30_000,
    help: 'Timeout of the whole step, including the wait for a free connection and connecting. The server cancels the statement after this time too.',
  },
];

const QUERY: ActionManifest = {
  actionId: 'query',
  name: 'Read rows',
  description:
    'Reads rows, in a read-only transaction. numeric and bigint are texts, since JSON numbers are not exact (count(*)::int is a number); times are ISO 8601, in UTC if they have a zone; bytea is Base64.',
  inputConfig: { fields: FIELDS },
  outputExample: {
    rows: [{ id: 17, name: 'Ada' }],
    rowCount: 1,
    fields: [
      { name: 'id', type: 'int4' },
      { name: 'name', type: 'text' },
    ],
    truncated: false,
  },
  outputSchema: ROWS,
  effect: 'read',
  repeatable: true,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
};

const EXECUTE: ActionManifest = {
  actionId: 'execute',
  name: 'Run a statement',
  description:
    'Runs one statement that may write, in its own transaction. rowCount is the number of changed or returned rows; rows are those of RETURNING. Each attempt runs the statement again: make it idempotent, e.g. with ON CONFLICT.',
  inputConfig: { fields: FIELDS },
  outputExample: { rows: [{ id: 18 }], rowCount: 1, fields: [{ name: 'id', type: 'int4' }], truncated: false },
  outputSchema: ROWS,
  effect: 'write',
  repeatable: false,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
};

export const POSTGRES: AppManifest = {
  appId: 'postgres',
  name: 'Postgres',
  description: 'Reads and writes a Postgres database.',
  icon: icon(
    '<ellipse cx="12" cy="5" rx="8" ry="3"/><path d="M4 5v14c0 1.7 3.6 3 8 3s8-1.3 8-3V5"/><path d="M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3"/>',
  ),
  categories: ['Database'],
  connectionTypes: [SERVER],
  actions: [QUERY, EXECUTE],
  triggers: [],
};
