import { ingestedWith } from './ingestedWith.ts';
import type { Recipes } from './recipe.ts';

/** Ingested documents of knowledge bases. */
export const DOCUMENTS = {
  async ingestDocument(home) {
    const body = { name: 'Rules', embeddingProvider: 'local', chunkSize: 50, chunkOverlap: 0 };
    const made = await home.api('POST', '/api/knowledge', { body });
    const path = `/api/knowledge/${made.body.id}`;
    // Two parallel batches.
    const text = Array.from({ length: 300 }, (_, n) => `Rule ${n} says that nobody may be late for tea.`).join('\n\n');
    await home.api('POST', `${path}/saveUploadedText`, { body: { text } });
    const documents = await home.api('GET', `${path}/documents`);
    return { engineId: `ingest-${documents.body[0].groupId}` };
  },
  ingestDocumentRetried: () => ingestedWith({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }),
  ingestDocumentRefused: () => ingestedWith({ status: 400 }),
} satisfies Recipes;
