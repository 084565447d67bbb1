import type { Database } from '../prisma/client.ts';
import type { CaseRun } from './caseRun.ts';

export interface Entry {
  run: CaseRun;
  workflow: string;
}

interface Row {
  slug: string | null;
  /** The execution that started this one, or whose failure did. */
  by: string | null;
}

/** Finds the running case of an execution. Sub-workflows and error workflows belong to the case that started them. */
export class CaseBook {
  readonly #entries = new Map<string, Entry>();

  add(run: CaseRun): void {
    this.#entries.set(run.executionId, { run, workflow: run.slug });
  }

  known(executionId: string): Entry | undefined {
    return this.#entries.get(executionId);
  }

  async entryOf(database: Database, executionId: string): Promise<Entry | undefined> {
    const known = this.#entries.get(executionId);
    if (known) return known;
    const [row] = await database.$queryRaw<Row[]>`
      SELECT w.slug, coalesce(e.parent_execution_id, f.execution_id) AS by FROM executions e
      LEFT JOIN workflows w ON w.id = e.workflow_id
      LEFT JOIN failure_handlings f ON f.handler_execution_id = e.id
      WHERE e.id = ${executionId}::uuid`;
    const starter = row?.by ? await this.entryOf(database, row.by) : undefined;
    const entry = starter && { run: starter.run, workflow: row?.slug ?? '' };
    if (!entry) return undefined;
    this.#entries.set(executionId, entry);
    return entry;
  }
}
