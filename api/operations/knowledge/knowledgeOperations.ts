import type { Json } from '../../../domain/json.ts';
import { type ChunkRules, DEFAULT_CHUNKS } from '../../../domain/knowledge/chunk.ts';
import { chooseEmbedding, type Embedding, type EmbeddingRequest } from '../../../domain/knowledge/embedding.ts';
import { Problem } from '../../../domain/problem.ts';
import { changeResource } from '../../../prisma/store/changeResource.ts';
import { hasVectors } from '../../../prisma/store/database/capabilities.ts';
import { insertKnowledgeBase, readEmbedding } from '../../../prisma/store/knowledge/knowledgeBases.ts';
import { KNOWLEDGE, KNOWLEDGE_TO_EMBED } from '../../../prisma/store/knowledge/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { refusalOf } from '../../../prisma/store/refusals.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

export const createKnowledge: Operation<'createKnowledge'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  checkReadQuery(KNOWLEDGE, query);
  const { name, slug, description = null } = body;
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
  const made = { ...embedding, id: resourceId, name, slug, description, chunkSize, chunkOverlap };
  await insertKnowledgeBase(database, caller.workspaceId, made);
  return readResource(database, caller, KNOWLEDGE, resourceId, { query });
};

export const EMBEDDING = ['embeddingProvider', 'embeddingModel', 'dimensions'] as const;

/** Embedding settings change only while the base has no documents; chunk settings apply to later uploads. */
export const updateKnowledge: Operation<'updateKnowledge'> = async (request) => {
  const { caller, params, query, body = {}, services, expected } = request;
  const { database } = services;
  const { knowledgeId } = params;
  checkReadQuery(KNOWLEDGE, query);
  const present = await readEmbedding(database, caller.workspaceId, knowledgeId);
  if (!present) throw notFound(KNOWLEDGE);
  requireHalf({ ...present, ...body });
  const change: Record<string, Json> = { ...body };
  const isOther = EMBEDDING.some((name) => body[name] !== undefined && body[name] !== present[name]);
  if (isOther) {
    // First of all: while documents exist, no other settings are valid.
    const { frozen } = KNOWLEDGE_TO_EMBED;
    const refusal = await refusalOf(database, caller, KNOWLEDGE_TO_EMBED, knowledgeId, undefined, frozen);
    if (refusal) throw new Problem('CONFLICT', refusal.detail);
    // Another provider or model has its own dimensions, unless the body sets them.
    Object.assign(change, embeddingOf(services, askedOf(body, present)));
  } else {
    for (const name of EMBEDDING) delete change[name];
  }
  const resource = isOther ? KNOWLEDGE_TO_EMBED : KNOWLEDGE;
  return changeResource(database, caller, resource, knowledgeId, change, { query, expected });
};

type Named = { [Name in (typeof EMBEDDING)[number]]?: unknown };

export function askedOf(body: Named, present: Named): Parameters<typeof embeddingOf>[1] {
  const provider = body.embeddingProvider ?? present.embeddingProvider;
  const isSameProvider = provider === present.embeddingProvider;
  const model = body.embeddingModel ?? (isSameProvider ? present.embeddingModel : undefined);
  return {
    embeddingProvider: provider,
    embeddingModel: model,
    dimensions: body.dimensions,
  } as Parameters<typeof embeddingOf>[1];
}

export function requireHalf({ chunkSize, chunkOverlap }: ChunkRules): void {
  if (chunkOverlap * 2 <= chunkSize) return;
  const message = `expected at most half of chunkSize, which is ${chunkSize}`;
  throw new Problem('VALIDATION_FAILED', `chunkOverlap: ${message}`, { errors: [{ path: 'chunkOverlap', message }] });
}

/** Throws VALIDATION_FAILED. */
export function embeddingOf({ config }: Pick<Services, 'config'>, asked: EmbeddingRequest): Embedding {
  const chosen = chooseEmbedding(asked, {
    provider: config.EMBEDDING_PROVIDER,
    model: config.EMBEDDING_MODEL,
    dimensions: config.EMBEDDING_DIMENSIONS,
    hasKey: config.OPENAI_API_KEY !== undefined,
  });
  if (!('path' in chosen)) return chosen;
  throw new Problem('VALIDATION_FAILED', `${chosen.path}: ${chosen.message}`, { errors: [chosen] });
}
