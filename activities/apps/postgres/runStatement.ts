import pg from 'pg';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { typeName } from './jsonTypes.ts';

export interface Statement {
  sql: string;
  parameters: Json[];
  /** Most rows that are kept. */
  limit: number;
  /** On the server's side. */
  timeoutMs: number;
}

/** Sends exactly one statement: the extended protocol refuses a second one in the text. */
class OneStatement extends pg.Query {
  readonly isReadOnly: boolean;

  constructor({ sql, parameters, limit }: Statement, isReadOnly: boolean) {
    const config = {
      text: sql,
      values: parameters,
      rowMode: 'array',
      queryMode: 'extended',
      // One more than requested shows whether there are more. A statement that writes does all of its work.
      ...(isReadOnly ? { rows: limit + 1 } : {}),
    };
    super(config as pg.QueryConfig<Json[]>);
    this.isReadOnly = isReadOnly;
  }

  /** `pg` would fetch the rest. */
  handlePortalSuspended(connection: pg.Connection): void {
    connection.sync();
  }
}

/**
 * `{rows, rowCount, fields, truncated}` of one statement in a transaction of its own. `onCommit` is called before the
 * commit: after it, the outcome of a failure is unknown.
 */
export async function runStatement(
  client: pg.Client,
  statement: Statement,
  isReadOnly: boolean,
  onCommit: () => void,
): Promise<JsonObject> {
  await client.query(begin(statement, isReadOnly));
  const answer = await take(client, statement, isReadOnly);
  onCommit();
  await client.query('COMMIT');
  return answer;
}

/** All settings are the transaction's own: a pooler between here and the server keeps none of them. */
function begin({ timeoutMs }: Statement, isReadOnly: boolean): string {
  const settings = {
    statement_timeout: String(Math.ceil(timeoutMs)),
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    bytea_output: 'hex',
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  // A query, not SET: after the first query a transaction cannot become writable.
  return `BEGIN${isReadOnly ? ' READ ONLY' : ''}; SELECT ${calls.join(', ')}`;
}

function take(client: pg.Client, statement: Statement, isReadOnly: boolean): Promise<JsonObject> {
  return new Promise((done, fail) => {
    const query = new OneStatement(statement, isReadOnly);
    let fields: { name: string; type: string }[] = [];
    const rows: JsonObject[] = [];
    let seen = 0;
    query.on('row', (row: Json[]) => {
      seen += 1;
      if (rows.length === statement.limit) return;
      rows.push(Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? null])));
    });
    query.on('error', fail);
    query.on('end', ({ rowCount }: pg.QueryResult) => {
      const truncated = seen > rows.length;
      done({ rows, rowCount: isReadOnly ? rows.length : (rowCount ?? 0), fields, truncated });
    });
    client.connection.once('rowDescription', (answer: { fields: { name: string; dataTypeID: number }[] }) => {
      fields = answer.fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) }));
    });
    client.query(query);
  });
}
