import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { deleteResource } from '../../prisma/store/deleteResource.ts';
import { dropUnready, failDocument, showDocument } from '../../prisma/store/knowledge/ingestion.ts';
import { KNOWLEDGE_DOCUMENT } from '../../prisma/store/knowledge/resource.ts';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { keyOfWorkspace } from '../setup/database/things.ts';
import { withSessions } from '../setup/database/withSessions.ts';
import { poll } from '../setup/jest/poll.ts';

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
      // Like a deletion: its own row first, then those of its documents.
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
      // Nothing of it is left.
      expect(await ended).toBe(status === 'READY' ? 'NOT_FOUND' : 'ended');
    } finally {
      client.release(true);
    }
  },
);
