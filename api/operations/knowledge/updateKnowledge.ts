import type { Json } from '../../../domain/json.ts';
import { changeResource } from '../../../prisma/store/changeResource.ts';
import { readEmbedding } from '../../../prisma/store/knowledge/readEmbedding.ts';
import { KNOWLEDGE, KNOWLEDGE_TO_EMBED } from '../../../prisma/store/knowledge/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';
import { requireHalf } from './chunksOf.ts';
import { embeddingOf } from './embeddingOf.ts';

const EMBEDDING = ['embeddingProvider', 'embeddingModel', 'dimensions'] as const;

/** By what its texts are embedded changes only while no document stands; how they are cut counts for later uploads. */
export const updateKnowledge: Operation<'updateKnowledge'> = async ({ caller, params, query, body, services }) => {
  const { database } = services;
  const { knowledgeId } = params;
  checkReadQuery(KNOWLEDGE, query);
  const present = await readEmbedding(database, caller.workspaceId, knowledgeId);
  if (!present) throw notFound(KNOWLEDGE);
  requireHalf({ ...present, ...body });
  const change: Record<string, Json> = { ...body };
  const isOther = EMBEDDING.some((name) => body[name] !== undefined && body[name] !== present[name]);
  // Another provider or model brings its own dimensions, where the body names none.
  if (isOther) Object.assign(change, embeddingOf(services, askedOf(body, present)));
  else for (const name of EMBEDDING) delete change[name];
  const resource = isOther ? KNOWLEDGE_TO_EMBED : KNOWLEDGE;
  return changeResource(database, caller, resource, knowledgeId, change, { query });
};

type Named = { [Name in (typeof EMBEDDING)[number]]?: unknown };

function askedOf(body: Named, present: Named): Parameters<typeof embeddingOf>[1] {
  const provider = body.embeddingProvider ?? present.embeddingProvider;
  const isSameProvider = provider === present.embeddingProvider;
  const model = body.embeddingModel ?? (isSameProvider ? present.embeddingModel : undefined);
  return {
    embeddingProvider: provider,
    embeddingModel: model,
    dimensions: body.dimensions,
  } as Parameters<typeof embeddingOf>[1];
}
