import type { ActionManifest, AppManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, AN_OBJECT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const ROWS = {
  rows: listOf(AN_OBJECT),
  rowCount: A_COUNT,
  fields: listOf(fixed({ name: A_TEXT, type: A_TEXT })),
  truncated: A_FLAG,
};

const SERVER: ConnectionType = {
  connectionId: 'custom',
  name: 'MySQL server',
  type: 'custom',
  fields: [
    { key: 'host', label: 'Host', type: 'text', required: true, help: 'A name or an address, without a scheme.' },
    { key: 'port', label: 'Port', type: 'number', required: false, default: 3306 },
    { key: 'database', label: 'Database', type: 'text', required: true },
    { key: 'user', label: 'User', type: 'text', required: true },
    { key: 'password', label: 'Password', type: 'secret', required: true },
    {
      key: 'tls',
      label: 'TLS',
      type: 'boolean',
      required: false,
      help: "With TLS the certificate is checked. Default: true; for a host of HTTP_ALLOWED_PRIVATE_HOSTS, the operator's own network, false.",
    },
    {
      key: 'ca',
      label: 'Certificate authority',
      type: 'longText',
      required: false,
      help: 'PEM; if the certificate is not signed by a public authority.',
    },
  ],
};

const FIELDS: Field[] = [
  {
    key: 'sql',
    label: 'SQL',
    type: 'longText',
    required: true,
    help: 'One statement. Write ? for values and list them in the parameters. Never write an expression into the statement.',
  },
  {
    key: 'parameters',
    label: 'Parameters',
    type: 'json',
    required: false,
    help: 'A list: the first replaces the first ?. Bound by the server. Objects and lists are sent as JSON.',
  },
  {
    key: 'limit',
    label: 'Most rows',
    type: 'number',
    required: false,
    default: 1_000,
    help: 'At most MYSQL_MAX_ROWS. With more rows truncated is true.',
  },
  {
    key: 'timeoutMs',
    label: 'Timeout (ms)',
    type: 'number',
    required: false,
    default: 30_000,
    help: 'Timeout of the whole step, including the wait for a free connection and connecting. The statement is then cancelled on the server.',
  },
];

const COMMON = {
  inputConfig: { fields: FIELDS },
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
} satisfies Partial<ActionManifest>;

const QUERY: ActionManifest = {
  actionId: 'query',
  name: 'Read rows',
  description:
    'Reads rows, in a read-only transaction. DECIMAL and BIGINT (so COUNT too) are texts, since JSON numbers are not exact; times are ISO 8601, TIMESTAMP in UTC; BLOB and BIT are Base64.',
  outputExample: {
    rows: [{ id: 17, name: 'Ada' }],
    rowCount: 1,
    fields: [
      { name: 'id', type: 'long' },
      { name: 'name', type: 'var_string' },
    ],
    truncated: false,
  },
  outputSchema: fixed(ROWS),
  effect: 'read',
  repeatable: true,
  ...COMMON,
};

const EXECUTE: ActionManifest = {
  actionId: 'execute',
  name: 'Run a statement',
  description:
    'Runs one statement that may write, in its own transaction. rowCount is the number of changed or returned rows, insertId the AUTO_INCREMENT value of the first new row. Each attempt runs the statement again: make it idempotent, e.g. with ON DUPLICATE KEY UPDATE.',
  outputExample: { rows: [], rowCount: 1, fields: [], truncated: false, insertId: '18' },
  outputSchema: fixed({ ...ROWS, insertId: { type: ['string', 'null'] } }),
  effect: 'write',
  repeatable: false,
  ...COMMON,
};

export const MYSQL: AppManifest = {
  appId: 'mysql',
  name: 'MySQL',
  description: 'Reads and writes a MySQL or MariaDB database.',
  icon: icon(
    '<ellipse cx="12" cy="5" rx="8" ry="3"/><path d="M4 5v14c0 1.7 3.6 3 8 3s8-1.3 8-3V5"/><path d="m8 17 2-5 2 3 2-3 2 5"/>',
  ),
  categories: ['Database'],
  connectionTypes: [SERVER],
  actions: [QUERY, EXECUTE],
  triggers: [],
};
