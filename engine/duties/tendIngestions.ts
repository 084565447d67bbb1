import { anyUntended, dropFailedDocuments, ingestionsToTend } from '../../prisma/store/knowledge/staleIngestions.ts';
import { ingestionSpec } from '../knowledge/ingestions.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

/** Restarts ingestions that were lost or ended in the engine. Deletes FAILED documents that no upload has read. */
export function tendIngestions({ database, engine }: Pick<DutyParts, 'database' | 'engine'>, intervalMs: number): Duty {
  return {
    name: 'tend ingestions of documents',
    intervalMs,
    due: anyUntended,
    async run(stopped, repaired, buckets) {
      await inRounds(stopped, async () => {
        const found = await ingestionsToTend(database, buckets, BATCH);
        repaired(found.length);
        for (const ref of found) await engine.workflows.start(ingestionSpec(ref));
        return found.length === BATCH;
      });
      await dropFailedDocuments(database, buckets, BATCH);
    },
  };
}
