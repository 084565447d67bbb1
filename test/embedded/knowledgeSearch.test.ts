import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildEmbedders } from '../../activities/embeddings/buildEmbedders.ts';
import { buildOpenAiClient } from '../../activities/providers/openAiClient.ts';
import { searchKnowledge } from '../../engine/knowledge/searchKnowledge.ts';
import { deleteResource } from '../../prisma/store/deleteResource.ts';
import { dropUnready, failDocument, showDocument } from '../../prisma/store/knowledge/ingestion.ts';
import { KNOWLEDGE_DOCUMENT } from '../../prisma/store/knowledge/resource.ts';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { keyOfWorkspace } from '../setup/database/things.ts';
import { withSessions } from '../setup/database/withSessions.ts';
import { poll } from '../setup/jest/poll.ts';
import { startModelProvider } from '../setup/providers/modelProvider.ts';

describe('search', () => {
  let own: MigratedDatabase;
  const workspaceId = randomUUID();
  beforeAll(async () => {
    own = await startMigratedDatabase();
    await run("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
  }, 90_000);
  afterAll(() => own?.dispose());

  const run = (text: string, values: unknown[] = []) => own.database.pool.query(text, values);

  async function searching(mode: 'semantic' | 'hybrid') {
    const provider = await startModelProvider();
    const openAiClient = buildOpenAiClient({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 1_000_000 });
    const config = {
      ...{ OPENAI_API_KEY: 'sk-k', OPENAI_BASE_URL: provider.baseUrl, EMBEDDING_TIMEOUT_MS: 60_000 },
      ...{ EMBEDDING_THREADS: 1, EMBEDDING_MAX_WAITING: 10 },
    };
    const embedders = buildEmbedders({ config, openAiClient });
    const knowledgeId = randomUUID();
    await run(
      `INSERT INTO knowledge_bases (id, workspace_id, name, embedding_provider, embedding_model, dimensions, chunk_size,
       chunk_overlap) VALUES ($1, $2, 'k', 'openai', 'text-embedding-3-small', 16, 800, 100)`,
      [knowledgeId, workspaceId],
    );
    const release = provider.holdEmbeddings();
    const found = searchKnowledge(
      { database: own.database, embedders },
      { workspaceId, knowledgeId, mode, query: 'tea' },
    );
    await provider.request(1);
    return { knowledgeId, found, release };
  }

  describe.each(['semantic', 'hybrid'] as const)('%s', (mode) => {
    test('of a base that is deleted while the question is embedded: not found', async () => {
      const { knowledgeId, found, release } = await searching(mode);
      await run('DELETE FROM knowledge_bases WHERE id = $1', [knowledgeId]);
      release();
      await expect(found).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('in a base whose dimensions have changed meanwhile finds nothing', async () => {
      const { knowledgeId, found, release } = await searching(mode);
      await run('UPDATE knowledge_bases SET dimensions = 32 WHERE id = $1', [knowledgeId]);
      release();
      expect(await found).toEqual({ mode, results: [] });
    });
  });
});

describe('locks', () => {
  let own: MigratedDatabase;
  beforeAll(async () => {
    own = await startMigratedDatabase(4);
  }, 90_000);
  afterAll(() => own?.dispose());

  interface Place {
    workspaceId: string;
    knowledgeId: string;
    documentId: string;
  }

  withSessions.each<[string, 'READY' | 'INGESTING', (place: Place) => Promise<unknown>]>([
    [
      'deleted',
      'READY',
      ({ workspaceId, knowledgeId, documentId }) =>
        deleteResource(own.database, { ...keyOfWorkspace(), workspaceId }, KNOWLEDGE_DOCUMENT, documentId, {
          scope: { knowledgeId },
        }),
    ],
    [
      'failed',
      'INGESTING',
      (place) => failDocument(own.database, place, { code: 'NODE_FAILED', message: 'm', retryable: false }),
    ],
    ['dropped', 'INGESTING', (place) => dropUnready(own.database, place)],
    ['shown', 'INGESTING', (place) => showDocument(own.database, place)],
  ])(
    'a document that is %s while its base is being deleted waits for the deletion, and holds nothing that the deletion waits for',
    async (how, status, end) => {
      const { pool } = own.database;
      const workspaceId = randomUUID();
      await pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
      const knowledgeId = await insertKnowledgeRows(own.database, workspaceId);
      const { rows } = await pool.query(
        'UPDATE knowledge_documents SET status = $2 WHERE knowledge_id = $1 RETURNING id AS "documentId"',
        [knowledgeId, status],
      );
      const client = await pool.connect();
      try {
        // Like a deletion: locks the base's row first, then those of its documents.
        await client.query('BEGIN');
        await client.query('SELECT FROM knowledge_bases WHERE id = $1 FOR UPDATE', [knowledgeId]);
        if (how === 'shown') {
          await client.query('SELECT FROM knowledge_documents WHERE knowledge_id = $1 FOR UPDATE', [knowledgeId]);
        }
        const ended = end({ workspaceId, knowledgeId, documentId: rows[0].documentId }).then(
          () => 'ended',
          (error) => error.code,
        );
        await poll(() => lockWaits(own.database)).toBe(1);
        await client.query('DELETE FROM knowledge_bases WHERE id = $1', [knowledgeId]);
        await client.query('COMMIT');
        expect(await ended).toBe(status === 'READY' ? 'NOT_FOUND' : 'ended');
      } finally {
        client.release(true);
      }
    },
  );
});
