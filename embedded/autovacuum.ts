import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Say } from './say.ts';

/**
 * By Postgres's settings. Tables with old transactions come first: they must be frozen before transaction ids run out.
 */
const DUE = `
  SELECT format('%s %I.%I', CASE WHEN is_old THEN 'VACUUM (FREEZE, ANALYZE)' WHEN has_dead THEN 'VACUUM (ANALYZE)' ELSE 'ANALYZE' END,
    schemaname, relname) AS statement
  FROM (
    SELECT s.schemaname, s.relname,
      age(c.relfrozenxid) > current_setting('autovacuum_freeze_max_age')::bigint AS is_old,
      s.n_dead_tup > current_setting('autovacuum_vacuum_threshold')::float8
          + current_setting('autovacuum_vacuum_scale_factor')::float8 * greatest(c.reltuples, 0)
        OR s.n_ins_since_vacuum > current_setting('autovacuum_vacuum_insert_threshold')::float8
          + current_setting('autovacuum_vacuum_insert_scale_factor')::float8 * greatest(c.reltuples, 0) AS has_dead,
      s.n_mod_since_analyze > current_setting('autovacuum_analyze_threshold')::float8
        + current_setting('autovacuum_analyze_scale_factor')::float8 * greatest(c.reltuples, 0) AS has_changed
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  ) tables
  WHERE is_old OR has_dead OR has_changed ORDER BY is_old DESC, relname`;

/**
 * The embedded database has no background processes: dead rows would keep their space, and statistics would stay those
 * of empty tables. Other clients wait meanwhile, so each table is its own statement.
 */
export class Autovacuum {
  readonly #url: string;
  readonly #say: Say;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;

  /** `everyMs`: the interval, 0 for never. */
  constructor({ url, everyMs, say }: { url: string; everyMs: number; say: Say }) {
    this.#url = url;
    this.#say = say;
    this.#ended = everyMs === 0 ? Promise.resolve() : this.#repeat(everyMs);
  }

  /** Finishes the current table first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Rejects with the database's error. */
  async pass(): Promise<string[]> {
    const client = new pg.Client({ connectionString: this.#url });
    // The running statement rejects too.
    client.on('error', () => undefined);
    await client.connect();
    try {
      // By default the session writes its counts at most once a second.
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query<{ statement: string }>(DUE);
      const done: string[] = [];
      for (const { statement } of rows) {
        if (this.#stopping.signal.aborted) break;
        await client.query(statement);
        done.push(statement);
      }
      return done;
    } finally {
      await client.end();
    }
  }

  async #repeat(everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.pass().catch((error: Error) => {
        // Other parts report an unavailable database; the next pass tries again.
        if (!signal.aborted) this.#say(`could not vacuum the embedded database: ${error.message}`);
      });
    }
  }
}
