import type { FinishOutcome, IngestionRef } from '../../domain/knowledge/ingestion.ts';
import { finishDocument as finish, readDocumentState } from '../../prisma/store/knowledge/ingestion.ts';
import type { ActivityServices } from '../services.ts';

/** Shows the document, all at once. */
export async function finishDocument({ database }: ActivityServices, ref: IngestionRef): Promise<FinishOutcome> {
  if (await finish(database, ref)) return { status: 'READY' };
  const state = await readDocumentState(database, ref);
  // A try before this one may have shown it.
  if (state?.status === 'READY') return { status: 'READY' };
  if (state === undefined) return { status: 'ABSENT' };
  if (state.status === 'FAILED') return { status: 'FAILED', code: state.code };
  throw new Error(`The document ${ref.documentId} has parts without a vector`);
}
