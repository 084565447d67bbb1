import { Context } from '@temporalio/activity';
import { derivedId } from '../../domain/derivedId.ts';
import type { IngestionRef, SplitOutcome } from '../../domain/knowledge/ingestion.ts';
import { NotEmbedded } from '../../engine/knowledge/embedders.ts';
import { failDocument, readDocumentToSplit, storeChunks } from '../../prisma/store/knowledge/ingestion.ts';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';
import { HEARTBEAT_MS } from './embedParts.ts';

/** Stores the parts of the document, which nobody sees yet. The same text gives the same parts under the same ids. */
export function splitDocument(services: ActivityServices, ref: IngestionRef): Promise<SplitOutcome> {
  const { cancellationSignal } = Context.current();
  return beating(HEARTBEAT_MS, async (): Promise<SplitOutcome> => {
    const { database, embedders } = services;
    const document = await readDocumentToSplit(database, ref);
    if (!document) return { status: 'ABSENT' };
    const { embedding, text, rules } = document;
    try {
      const chunks = await embedders.split(embedding, text, rules, cancellationSignal);
      const parts = chunks.map((chunk, index) => {
        const partNumber = index + 1;
        return { ...chunk, partNumber, id: derivedId(ref.documentId, `part ${partNumber}`) };
      });
      const isStored = await storeChunks(database, ref, parts);
      return isStored ? { status: 'SPLIT', parts: parts.length } : { status: 'ABSENT' };
    } catch (error) {
      if (!(error instanceof NotEmbedded)) throw error;
      await failDocument(database, ref, error.failure);
      return { status: 'FAILED', code: error.failure.code };
    }
  });
}
