import { DEFAULT_CHUNKS } from '../../../domain/knowledge/chunk.ts';
import { Problem } from '../../../domain/problem.ts';
import { hasVectors } from '../../../prisma/store/database/hasVectors.ts';
import { insertKnowledgeBase } from '../../../prisma/store/knowledge/insertKnowledgeBase.ts';
import { KNOWLEDGE } from '../../../prisma/store/knowledge/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';
import { requireHalf } from './chunksOf.ts';
import { embeddingOf } from './embeddingOf.ts';

export const createKnowledge: Operation<'createKnowledge'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  checkReadQuery(KNOWLEDGE, query);
  const { name, description = null } = body;
  const { chunkSize = DEFAULT_CHUNKS.chunkSize } = body;
  const { chunkOverlap = Math.min(DEFAULT_CHUNKS.chunkOverlap, Math.floor(chunkSize / 2)) } = body;
  requireHalf({ chunkSize, chunkOverlap });
  const embedding = embeddingOf(services, body);
  if (!(await hasVectors(database))) {
    throw new Problem(
      'VALIDATION_FAILED',
      'This deployment has no vector database: its Postgres lacks the extension vector',
    );
  }
  const made = { ...embedding, id: resourceId, name, description, chunkSize, chunkOverlap };
  await insertKnowledgeBase(database, caller.workspaceId, made);
  return readResource(database, caller, KNOWLEDGE, resourceId, { query });
};
