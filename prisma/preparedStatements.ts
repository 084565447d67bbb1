import { createHash } from 'node:crypto';
import type pg from 'pg';
import { someSqlState } from './databaseErrors.ts';
import { Prisma } from './generated/client.ts';

const MARK = '/* planned by its values */';

/** A text gets a name from this use on, so that a text composed for a single request gets none. */
const PREPARED_FROM_USE = 5;
/** Maximum of counted texts; then the counts start again. */
const COUNTED_TEXTS = 2_000;
/** The server lost the statement (a pooler, DISCARD ALL), or a migration changed its columns. Nothing was done. */
const LOST = new Set(['26000', '42P05']);
const OUTDATED = 'cached plan must not change result type';

/** A condition whose rare values need another plan: its statement is planned at each use. */
export function plannedByValue(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(MARK)} ${condition}`;
}

/** Names repeated statements: the server parses and plans a named text once per connection. */
export class PreparedStatements {
  readonly #limit: number;
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string | undefined>();

  /** `limit`: the maximum of named texts. A connection keeps each until it ends. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  nameOf(text: string): string | undefined {
    if (this.#names.has(text)) return this.#names.get(text);
    if (this.#names.size >= this.#limit || text.includes(MARK)) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < PREPARED_FROM_USE) {
      if (this.#uses.size >= COUNTED_TEXTS) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }

  giveUp(text: string): void {
    this.#names.set(text, undefined);
  }
}

/** Clients from `connect` do not prepare statements. */
export function prepareRepeated(pool: pg.Pool, statements: PreparedStatements): void {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  const prepared = async (first: string | pg.QueryConfig, values?: unknown[]) => {
    const config: pg.QueryConfig = typeof first === 'string' ? { text: first, ...(values && { values }) } : first;
    // A text without values may contain several statements, which cannot be named.
    const name = config.values?.length ? statements.nameOf(config.text) : undefined;
    if (name === undefined) return query(config);
    try {
      return await query({ ...config, name });
    } catch (error) {
      if (!isOfTheName(error)) throw error;
      statements.giveUp(config.text);
      return query(config);
    }
  };
  pool.query = prepared as typeof pool.query;
}

function isOfTheName(error: unknown): boolean {
  return (
    someSqlState(error, (sqlState) => LOST.has(sqlState)) || (error instanceof Error && error.message === OUTDATED)
  );
}
