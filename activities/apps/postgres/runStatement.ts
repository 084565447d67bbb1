import pg from 'pg';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Statement } from '../sql/statementActions.ts';
import { typeName } from './jsonTypes.ts';

/** Sends exactly one statement, because the extended protocol rejects a second one in the text. */
class OneStatement extends pg.Query {
  readonly isReadOnly: boolean;

  constructor({ sql, parameters, limit }: Statement, isReadOnly: boolean) {
    const config = {
      text: sql,
      values: parameters,
      rowMode: 'array',
      queryMode: 'extended',
      // One row above the limit shows whether there are more. A writing statement always runs completely.
      ...(isReadOnly ? { rows: limit + 1 } : {}),
    };
    super(config as pg.QueryConfig<Json[]>);
    this.isReadOnly = isReadOnly;
  }

  /** Stops here; `pg` would fetch the remaining rows. */
  handlePortalSuspended(connection: pg.Connection): void {
    connection.sync();
  }
}

/** Runs in its own transaction. `onCommit` is called before the commit: a later failure has an unknown outcome. */
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

/** All settings are local to the transaction, so that a pooler keeps none of them. */
function begin({ timeoutMs }: Statement, isReadOnly: boolean): string {
  const settings = {
    statement_timeout: String(Math.ceil(timeoutMs)),
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    bytea_output: 'hex',
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  // A query instead of SET, because after the first query a transaction cannot become writable.
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
