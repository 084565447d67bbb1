import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { fixed } from '../../../domain/app/outputSchema.ts';
import { icon } from '../icon.ts';
import { databaseServer, READS, ROWS, statementAction, WRITES } from '../sql/manifestParts.ts';

const SERVER = databaseServer('Postgres server', {
  port: 5432,
  encryption: {
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
  caFor: 'for verify-full, ',
});

const COMMON = statementAction({
  values: 'Write values as $1, $2, …',
  parameters:
    'A list: the first is $1. Bound by the server. An object is sent as JSON, a list as an array of Postgres, as in = ANY($1); {{ json(x) }} sends a list as JSON.',
  maxRows: 'POSTGRES_MAX_ROWS',
  cancels: 'The server cancels the statement after this time too.',
});

const QUERY: ActionManifest = {
  actionId: 'query',
  name: 'Read rows',
  description:
    'Reads rows, in a read-only transaction. numeric and bigint are texts, since JSON numbers are not exact (count(*)::int is a number); times are ISO 8601, in UTC if they have a zone; bytea is Base64.',
  outputExample: {
    rows: [{ id: 17, name: 'Ada' }],
    rowCount: 1,
    fields: [
      { name: 'id', type: 'int4' },
      { name: 'name', type: 'text' },
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
    'Runs one statement that may write, in its own transaction. rowCount is the number of changed or returned rows; rows are those of RETURNING. Each attempt runs the statement again: make it idempotent, e.g. with ON CONFLICT.',
  outputExample: { rows: [{ id: 18 }], rowCount: 1, fields: [{ name: 'id', type: 'int4' }], truncated: false },
  outputSchema: fixed(ROWS),
  ...WRITES,
  ...COMMON,
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
