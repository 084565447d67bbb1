import type { Arguments } from 'perdure-client';
import { ifMatch } from '../../app/api/ifMatch.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { BASE_LIST, baseKey, DOCUMENT_LIST, type KnowledgeWhole, knowledge } from './queries.ts';

/** The server embeds a long text part by part before it answers. */
const MAX_UPLOAD_MS = 1_800_000;

export async function createBase(body: Arguments<'createKnowledge'>['body'], idempotencyKey: string) {
  const made = await client.createKnowledge({ body, idempotencyKey });
  void QUERIES.invalidateQueries({ queryKey: BASE_LIST });
  return made;
}

/** `etag`: of the base as it was read; the API refuses to overwrite a later change. The caller reloads the base. */
export const updateBase = (
  knowledgeId: string,
  etag: string | undefined,
  body: Arguments<'updateKnowledge'>['body'],
): Promise<unknown> => client.updateKnowledge({ path: { knowledgeId }, body, ...ifMatch(etag) });

export async function reloadBase(knowledgeId: string): Promise<{ base: KnowledgeWhole; etag: string | undefined }> {
  void QUERIES.invalidateQueries({ queryKey: BASE_LIST });
  await QUERIES.invalidateQueries({ queryKey: baseKey(knowledgeId), refetchType: 'none' });
  return await QUERIES.fetchQuery(knowledge(knowledgeId));
}

/** The dialog that deletes a base also drops its cached reads. */
export const deleteBase = (knowledgeId: string): Promise<unknown> => client.deleteKnowledge({ path: { knowledgeId } });

/** Stores a text as a document. A retry with the same key stores nothing twice. */
export async function storeDocument(
  knowledgeId: string,
  body: { text: string; name: string },
  idempotencyKey: string,
): Promise<void> {
  await client.saveUploadedText({ path: { knowledgeId }, body, idempotencyKey, timeoutMs: MAX_UPLOAD_MS });
  refreshDocuments(knowledgeId);
}

export async function deleteDocument(knowledgeId: string, groupId: string): Promise<void> {
  await client.deleteKnowledgeDocument({ path: { knowledgeId, groupId } });
  refreshDocuments(knowledgeId);
}

/** Also reloads the base, because it counts its documents. */
function refreshDocuments(knowledgeId: string): void {
  void QUERIES.invalidateQueries({ queryKey: DOCUMENT_LIST });
  void QUERIES.invalidateQueries({ queryKey: baseKey(knowledgeId) });
}
