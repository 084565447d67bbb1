import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { fixed } from '../../../domain/app/outputSchema.ts';
import { icon } from '../icon.ts';
import { databaseServer, READS, ROWS, statementAction, WRITES } from '../sql/manifestParts.ts';

const SERVER = databaseServer('MySQL server', {
  port: 3306,
  encryption: {
    key: 'tls',
    label: 'TLS',
    type: 'boolean',
    required: false,
    help: "With TLS the certificate is checked. Default: true; for a host of HTTP_ALLOWED_PRIVATE_HOSTS, the operator's own network, false.",
  },
});

const COMMON = statementAction({
  values: 'Write ? for values',
  parameters: 'A list: the first replaces the first ?. Bound by the server. Objects and lists are sent as JSON.',
  maxRows: 'MYSQL_MAX_ROWS',
  cancels: 'The statement is then cancelled on the server.',
});

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
  ...READS,
  ...COMMON,
};

const EXECUTE: ActionManifest = {
  actionId: 'execute',
  name: 'Run a statement',
  description:
    'Runs one statement that may write, in its own transaction. rowCount is the number of changed or returned rows, insertId the AUTO_INCREMENT value of the first new row. Each attempt runs the statement again: make it idempotent, e.g. with ON DUPLICATE KEY UPDATE.',
  outputExample: { rows: [], rowCount: 1, fields: [], truncated: false, insertId: '18' },
  outputSchema: fixed({ ...ROWS, insertId: { type: ['string', 'null'] } }),
  ...WRITES,
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
