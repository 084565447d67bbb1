import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { LAST_UPDATED, type Order } from '../order.ts';
import { equalFilter, isoTime, named, type Resource } from '../resource.ts';

const READY = Prisma.sql`d.knowledge_id = t.id AND d.status = 'READY'`;

export const KNOWLEDGE: Resource = {
  name: 'knowledge',
  noun: 'knowledge base',
  hasTag: true,
  table: Prisma.sql`knowledge_bases`,
  place: Prisma.sql`'/api/knowledge/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    slug: { sql: Prisma.sql`t.slug` },
    description: { sql: Prisma.sql`t.description` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
    indexName: { sql: Prisma.sql`knowledge_vectors(t.id)` },
    chunkSize: { sql: Prisma.sql`t.chunk_size` },
    chunkOverlap: { sql: Prisma.sql`t.chunk_overlap` },
    usage: {
      sql: Prisma.sql`(SELECT json_build_object('documents', count(*), 'parts', coalesce(sum(d.parts), 0),
        'tokens', coalesce(sum(d.tokens), 0)) FROM knowledge_documents d WHERE ${READY})`,
    },
    vectorRefs: {
      sql: Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', c.id, 'groupId', d.id, 'partNumber', c.part_number)
        ORDER BY d.created_at DESC, d.id DESC, c.part_number), '[]')
        FROM knowledge_documents d JOIN knowledge_chunks c ON c.document_id = d.id WHERE ${READY})`,
      large: {},
    },
    countVectorRefs: {
      sql: Prisma.sql`(SELECT coalesce(sum(d.parts), 0) FROM knowledge_documents d WHERE ${READY})`,
    },
    embeddingProvider: { sql: Prisma.sql`t.embedding_provider` },
    embeddingModel: { sql: Prisma.sql`t.embedding_model` },
    dimensions: { sql: Prisma.sql`t.dimensions` },
  },
  defaults: { list: ['id', 'name'], single: ['id', 'name'] },
  filters: { slug: equalFilter('of the slug', Prisma.sql`t.slug`) },
  flags: {},
  order: LAST_UPDATED,
  changes: {
    name: column('name'),
    slug: column('slug'),
    description: column('description'),
    chunkSize: column('chunk_size', 'int'),
    chunkOverlap: column('chunk_overlap', 'int'),
    embeddingProvider: column('embedding_provider'),
    embeddingModel: column('embedding_model'),
    dimensions: column('dimensions', 'int'),
  },
};

export const KNOWLEDGE_TO_EMBED: Resource = {
  ...KNOWLEDGE,
  frozen: [
    {
      when: Prisma.sql`t.document_count > 0`,
      detail:
        'embeddingProvider, embeddingModel and dimensions cannot change while the knowledge base has documents: delete the documents first, or create another knowledge base',
    },
  ],
};

const NEWEST_FIRST: Order = {
  name: '-createdAt',
  keys: [{ sql: Prisma.sql`t.created_at`, type: 'time', direction: 'desc' }],
};

const DOCUMENT_FIELDS: Resource['fields'] = {
  groupId: { sql: Prisma.sql`t.id` },
  name: { sql: Prisma.sql`t.name` },
  createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
  parts: { sql: Prisma.sql`t.parts` },
  tokens: { sql: Prisma.sql`t.tokens` },
  metadata: { sql: Prisma.sql`t.metadata` },
};

/** Contains only completely ingested documents. A document's id is its `groupId`. */
export const KNOWLEDGE_DOCUMENT: Resource = {
  name: 'knowledgeDocument',
  noun: 'document',
  table: Prisma.sql`knowledge_documents`,
  place: Prisma.sql`'/api/knowledge/' || t.knowledge_id || '/documents/' || t.id`,
  param: 'groupId',
  fields: DOCUMENT_FIELDS,
  defaults: { list: Object.keys(DOCUMENT_FIELDS), single: Object.keys(DOCUMENT_FIELDS) },
  filters: {},
  flags: {},
  scope: { knowledgeId: { column: Prisma.sql`t.knowledge_id`, parent: KNOWLEDGE, lockedFirst: true } },
  visible: () => Prisma.sql`t.status = 'READY'`,
  order: NEWEST_FIRST,
};

export const WHOLE_DOCUMENT: Resource = {
  ...KNOWLEDGE_DOCUMENT,
  fields: {
    ...DOCUMENT_FIELDS,
    parts: {
      sql: Prisma.sql`(SELECT json_agg(json_build_object('id', c.id, 'partNumber', c.part_number, 'text', c.text,
        'tokens', c.tokens) ORDER BY c.part_number) FROM knowledge_chunks c WHERE c.document_id = t.id)`,
    },
  },
};
