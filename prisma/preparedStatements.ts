import { createHash } from 'node:crypto';
import type pg from 'pg';
import { someSqlState } from './databaseErrors.ts';
import { Prisma } from './generated/client.ts';

const MARK = '/* planned by its values */';

/** From this use on a text has a name: one that is written together for a single request never gets one. */
const PREPARED_FROM_USE = 5;
/** Texts that are counted; the counts begin again where there are more. */
const COUNTED_TEXTS = 2_000;
/**
 * The server does not have the statement (a pooler between, DISCARD ALL), has another of this name, or has one whose columns a
 * migration changed (of which the message is the only sign). It refuses before anything is done.
 */
const LOST = new Set(['26000', '42P05']);
const OUTDATED = 'cached plan must not change result type';

/**
 * A condition whose rare values want another plan than its common ones, as those of filters and searches do. A statement with
 * one is planned at each use: the plan of a name is the same for all values.
 */
export function plannedByValue(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(MARK)} ${condition}`;
}

/** Names for the statements that a process repeats: the server parses and plans a named text once for a connection. */
export class PreparedStatements {
  readonly #limit: number;
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string | undefined>();

  /** `limit`: texts that get a name. A connection keeps each until it ends. */
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

  /** The text has no name from now on. */
  giveUp(text: string): void {
    this.#names.set(text, undefined);
  }
}

/** Makes the pool's own `query` prepare what is repeated with values; the clients that `connect` gives out do not. */
export function prepareRepeated(pool: pg.Pool, statements: PreparedStatements): void {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  const prepared = async (first: string | pg.QueryConfig, values?: unknown[]) => {
    const config: pg.QueryConfig = typeof first === 'string' ? { text: first, ...(values && { values }) } : first;
    // Without values it may be several statements, which cannot have a name.
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
