import { dropFailedDocuments, ingestionsToTend } from '../../prisma/store/knowledge/tend.ts';
import { ingestionSpec } from '../knowledge/ingestions.ts';
import { BATCH, type Duty, type DutyParts, inRounds } from './duty.ts';

/**
 * Documents whose upload died before their workflow was started, or whose workflow was ended in the engine: it is started
 * (again); where it runs, it is left as it is. And those that failed and whose uploader did not come to hear why.
 */
export function tendIngestions({ database, engine }: Pick<DutyParts, 'database' | 'engine'>, intervalMs: number): Duty {
  return {
    name: 'tend ingestions of documents',
    intervalMs,
    async run(stopped) {
      await inRounds(stopped, async () => {
        const found = await ingestionsToTend(database, BATCH);
        for (const ref of found) await engine.workflows.start(ingestionSpec(ref));
        return found.length === BATCH;
      });
      await dropFailedDocuments(database, BATCH);
    },
  };
}
