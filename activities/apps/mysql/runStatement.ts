import type { Connection, FieldPacket, ResultSetHeader } from 'mysql2';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Statement } from '../sql/statementActions.ts';
import { jsonValue, typeName } from './jsonValue.ts';

/** Others, such as CREATE TABLE and CALL, may commit by themselves. */
const ROLLED_BACK = /^\s*(insert|update|delete|replace|select|with)\b/i;

/** Runs in its own transaction. `onCommit` is called before a commit: a later failure has an unknown outcome. */
export async function runStatement(
  connection: Connection,
  statement: Statement,
  isReadOnly: boolean,
  onCommit: () => void,
): Promise<JsonObject> {
  for (const sql of beginning(statement, isReadOnly)) await plain(connection, sql);
  if (!isReadOnly && !ROLLED_BACK.test(statement.sql)) onCommit();
  const answer = await take(connection, statement, isReadOnly);
  // Outside of a transaction each statement commits by itself, so a truncated read needs no end.
  if (isReadOnly) return answer;
  onCommit();
  await plain(connection, 'COMMIT');
  return answer;
}

/** MySQL limits only SELECT, MariaDB all statements. Each ignores the other's comment. */
function beginning({ timeoutMs }: Statement, isReadOnly: boolean): string[] {
  const ms = Math.ceil(timeoutMs);
  const limits = `/*!50708 , SESSION max_execution_time = ${ms} */ /*M!100100 , SESSION max_statement_time = ${ms / 1_000} */`;
  const access = isReadOnly ? ['SET SESSION TRANSACTION READ ONLY'] : [];
  return [
    `SET SESSION time_zone = '+00:00' ${limits}`,
    // The session too, so that a COMMIT within a procedure does not begin a transaction that writes.
    ...access,
    `START TRANSACTION${isReadOnly ? ' READ ONLY' : ''}`,
  ];
}

function plain(connection: Connection, sql: string): Promise<void> {
  return new Promise((done, fail) => {
    connection.query(sql, (error) => (error ? fail(error) : done()));
  });
}

async function take(connection: Connection, statement: Statement, isReadOnly: boolean): Promise<JsonObject> {
  const { Types } = (await import('mysql2')) as unknown as { Types: Record<number, string> };
  return new Promise((done, fail) => {
    let columns: FieldPacket[] = [];
    let header: ResultSetHeader | undefined;
    const rows: JsonObject[] = [];
    let seen = 0;
    const end = () => {
      const fields = columns.map((column) => ({ name: column.name, type: typeName(column, Types) }));
      const shown = { rows, fields, truncated: seen > rows.length };
      if (isReadOnly) return done({ ...shown, rowCount: rows.length });
      const insertId = header === undefined || Number(header.insertId) === 0 ? null : String(header.insertId);
      done({ ...shown, rowCount: header?.affectedRows ?? seen, insertId });
    };
    // Sent as a prepared statement: the server binds the values, and rejects a second statement in the text.
    const command = connection.execute({
      sql: statement.sql,
      values: statement.parameters.map(bound),
      rowsAsArray: true,
    });
    command.on('error', fail);
    command.on('fields', (found: FieldPacket[] | undefined) => {
      // A procedure may return several results; the first one counts.
      if (columns.length === 0) columns = found ?? [];
    });
    command.on('result', (row: unknown, index = 0) => {
      if (!Array.isArray(row)) {
        header = row as ResultSetHeader;
        return;
      }
      if (index > 0) return;
      seen += 1;
      if (rows.length < statement.limit) {
        const values = columns.map((column, at) => [column.name, jsonValue(row[at], column)]);
        rows.push(Object.fromEntries(values));
      } else if (isReadOnly) {
        // Nothing is lost: the connection is dropped with the rest of the rows.
        end();
      }
    });
    command.on('end', end);
  });
}

/** mysql2 sends numbers as DOUBLE, which LIMIT does not accept. */
function bound(value: Json): string | number | boolean | null | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
