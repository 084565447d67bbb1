import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { Database } from '../../prisma/client.ts';
import {
  type AuditEntry,
  type AuditSettlement,
  insertEntries,
  insertOfPerson,
  settleEntries,
} from '../../prisma/store/audit/entries.ts';
import { CombinedWrites } from './combinedWrites.ts';

/** An entry has the outcome `unknown` before its operation begins, so that even a killed process leaves one. */
export class AuditLog {
  readonly #database: Database;
  readonly #entries: CombinedWrites<AuditEntry>;
  readonly #settlements: CombinedWrites<AuditSettlement>;
  readonly #log: Logger;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#entries = new CombinedWrites((entries) => insertEntries(database, entries));
    this.#settlements = new CombinedWrites((settlements) => settleEntries(database, settlements));
  }

  /** Resolves when the entry is written. Rejects with the error of the database; then the operation must not run. */
  async write(entry: Omit<AuditEntry, 'id'>): Promise<string> {
    const id = v7();
    await this.#entries.add({ id, ...entry });
    return id;
  }

  settle(settlement: AuditSettlement): void {
    this.#settlements.add(settlement).catch((error: unknown) => {
      this.#log.error({ err: error, entryId: settlement.id }, 'the outcome of an audited operation was not recorded');
    });
  }

  /** Writes to the requested workspace or to the user's first one. Others could otherwise follow their members. */
  async writeOfPerson(
    { email, askedFor }: { email: string; askedFor: string | undefined },
    entry: Omit<AuditEntry, 'id' | 'workspaceId' | 'actor'>,
  ): Promise<void> {
    await insertOfPerson(this.#database, email, { id: v7(), workspaceId: askedFor }, entry);
  }

  async settled(): Promise<void> {
    await this.#settlements.idle();
  }
}
