import type { ActionManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, AN_OBJECT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';

export const ROWS = {
  rows: listOf(AN_OBJECT),
  rowCount: A_COUNT,
  fields: listOf(fixed({ name: A_TEXT, type: A_TEXT })),
  truncated: A_FLAG,
};

/** `encryption` decides about TLS; `caFor` begins the help of the certificate authority. */
export function databaseServer(
  name: string,
  { port, encryption, caFor = '' }: { port: number; encryption: Field; caFor?: string },
): ConnectionType {
  return {
    connectionId: 'custom',
    name,
    type: 'custom',
    fields: [
      { key: 'host', label: 'Host', type: 'text', required: true, help: 'A name or an address, without a scheme.' },
      { key: 'port', label: 'Port', type: 'number', required: false, default: port },
      { key: 'database', label: 'Database', type: 'text', required: true },
      { key: 'user', label: 'User', type: 'text', required: true },
      { key: 'password', label: 'Password', type: 'secret', required: true },
      encryption,
      {
        key: 'ca',
        label: 'Certificate authority',
        type: 'longText',
        required: false,
        help: `PEM; ${caFor}if the certificate is not signed by a public authority.`,
      },
    ],
  };
}

interface StatementWords {
  /** The notation of values, for the help of the statement. */
  values: string;
  parameters: string;
  /** The setting that limits the rows. */
  maxRows: string;
  /** How the server ends a statement at the time limit. */
  cancels: string;
}

/** The members that the actions of a database have in common. */
export function statementAction({ values, parameters, maxRows, cancels }: StatementWords) {
  const fields: Field[] = [
    {
      key: 'sql',
      label: 'SQL',
      type: 'longText',
      required: true,
      help: `One statement. ${values} and list them in the parameters. Never write an expression into the statement.`,
    },
    { key: 'parameters', label: 'Parameters', type: 'json', required: false, help: parameters },
    {
      key: 'limit',
      label: 'Most rows',
      type: 'number',
      required: false,
      default: 1_000,
      help: `At most ${maxRows}. With more rows truncated is true.`,
    },
    {
      key: 'timeoutMs',
      label: 'Timeout (ms)',
      type: 'number',
      required: false,
      default: 30_000,
      help: `Timeout of the whole step, including the wait for a free connection and connecting. ${cancels}`,
    },
  ];
  return {
    inputConfig: { fields },
    requiresConnection: true,
    permissions: [],
    placement: 'remote',
  } satisfies Partial<ActionManifest>;
}

export const READS = { effect: 'read', repeatable: true } satisfies Partial<ActionManifest>;
export const WRITES = { effect: 'write', repeatable: false } satisfies Partial<ActionManifest>;
