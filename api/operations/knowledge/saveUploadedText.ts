import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../domain/json.ts';
import type { IngestionRef } from '../../../domain/knowledge/ingestion.ts';
import { requireText } from '../../../domain/knowledge/requireText.ts';
import { Problem } from '../../../domain/problem.ts';
import { EngineAway } from '../../../engine/engineAway.ts';
import { ingestionSpec, ingestionWorkflowId } from '../../../engine/knowledge/ingestions.ts';
import { dropUnready, readDocumentState } from '../../../prisma/store/knowledge/ingestion.ts';
import { insertDocument } from '../../../prisma/store/knowledge/insertDocument.ts';
import { KNOWLEDGE } from '../../../prisma/store/knowledge/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** After this wait for the engine, the row is read. */
const WAIT_MS = 30_000;
/** Pause before starting again, if the engine is unavailable or the workflow ended without a result in the row. */
const PAUSE_MS = 1_000;

/** Waits for the ingestion without a limit; it continues if the caller disconnects. EMBEDDING_FAILED stores nothing. */
export const saveUploadedText: Operation<'saveUploadedText'> = async (request) => {
  const { caller, params, body, resourceId, services, signal } = request;
  const { text, name = null, metadata = {} } = body;
  requireText('text', text);
  const { workspaceId } = caller;
  const ref = { workspaceId, knowledgeId: params.knowledgeId, documentId: resourceId };
  const document = { text, name, metadata: metadata as JsonObject };
  if (!(await insertDocument(services.database, ref, document))) throw notFound(KNOWLEDGE);
  await begin(services, ref);
  return untilWhole(services, ref, signal);
};

/** If the engine is unavailable, nothing is stored and the caller gets 503. */
async function begin({ database, engine }: Services, ref: IngestionRef): Promise<void> {
  try {
    await engine.workflows.start(ingestionSpec(ref));
  } catch (error) {
    if (error instanceof EngineAway) await dropUnready(database, ref);
    throw error;
  }
}

async function untilWhole({ database, engine }: Services, ref: IngestionRef, signal: AbortSignal): Promise<true> {
  const workflowId = ingestionWorkflowId(ref.documentId);
  while (!signal.aborted) {
    const hasEnded = await engine.workflows.untilEnded(workflowId, WAIT_MS);
    const state = await readDocumentState(database, ref);
    if (state === undefined)
      throw new Problem('CONFLICT', 'The document or its knowledge base was deleted during the upload');
    if (state.status === 'READY') return true;
    if (state.status === 'FAILED') {
      await dropUnready(database, ref);
      throw new Problem('EMBEDDING_FAILED', `${state.message} Nothing was stored.`, {
        members: { reason: state.code },
      });
    }
    if (hasEnded) await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  throw signal.reason;
}
