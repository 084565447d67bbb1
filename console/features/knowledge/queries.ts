import { queryOptions } from '@tanstack/react-query';
import type { Answer, Arguments } from 'perdure-client';
import { etagOf } from '../../app/api/ifMatch.ts';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const ROW = ['description', 'usage', 'embeddingProvider', 'embeddingModel', 'updatedAt'];
const WHOLE = [...ROW, 'slug', 'chunkSize', 'chunkOverlap', 'dimensions', 'createdAt'];

export type KnowledgeRow = Answer<'listKnowledge'>[number];
export type KnowledgeWhole = Answer<'getKnowledge'>;
export type DocumentRow = Answer<'listKnowledgeDocuments'>[number];
export type SearchMode = NonNullable<Arguments<'searchKnowledge'>['body']['mode']>;
export type Found = Answer<'searchKnowledge'>;

export const SEARCH_MODES: readonly SearchMode[] = ['hybrid', 'semantic', 'text'];

export const USUAL_HITS = 10;
export const MAX_HITS = 100;

export function hitsOf(limit: string | undefined): number {
  const number = Math.trunc(Number(limit ?? USUAL_HITS));
  return Number.isFinite(number) && number > 0 ? Math.min(number, MAX_HITS) : USUAL_HITS;
}

export const BASE_LIST = ['listKnowledge'];
export const DOCUMENT_LIST = ['listKnowledgeDocuments'];
export const baseKey = (knowledgeId: string): string[] => ['getKnowledge', knowledgeId];

export const knowledgePages = () => pagesOf('listKnowledge', { query: { expansion: ROW.join(',') } });

export function knowledge(knowledgeId: string) {
  return queryOptions({
    queryKey: baseKey(knowledgeId),
    queryFn: async ({ signal }) => {
      const answer = await client.send('getKnowledge', {
        path: { knowledgeId },
        query: { expansion: WHOLE.join(',') },
        signal,
      });
      return { base: (await answer.json()) as KnowledgeWhole, etag: etagOf(answer) };
    },
  });
}

export const documentPages = (knowledgeId: string) => pagesOf('listKnowledgeDocuments', { path: { knowledgeId } });

/** Reads the newest thousand documents, to choose from. */
export function documentChoices(knowledgeId: string) {
  return queryOptions({
    queryKey: [...DOCUMENT_LIST, knowledgeId, 'choices'],
    queryFn: ({ signal }) => client.listKnowledgeDocuments({ path: { knowledgeId }, query: { limit: 1_000 }, signal }),
    staleTime: 60_000,
  });
}

export function knowledgeDocument(knowledgeId: string, groupId: string) {
  return queryOptions({
    queryKey: ['getKnowledgeDocument', knowledgeId, groupId],
    queryFn: ({ signal }) => client.getKnowledgeDocument({ path: { knowledgeId, groupId }, signal }),
    staleTime: 60_000,
  });
}

interface Search {
  query: string;
  limit: number;
  filter: Record<string, unknown>;
}

/** Searches without the cache, because a measurement needs fresh results. */
export const searchKnowledge = (
  knowledgeId: string,
  body: Arguments<'searchKnowledge'>['body'],
  signal: AbortSignal,
): Promise<Found> => client.searchKnowledge({ path: { knowledgeId }, body, signal });

export function knowledgeSearch(knowledgeId: string, mode: SearchMode, { query, limit, filter }: Search) {
  return queryOptions({
    queryKey: ['searchKnowledge', knowledgeId, mode, query, limit, filter],
    queryFn: ({ signal }) =>
      client.searchKnowledge({
        path: { knowledgeId },
        body: { query, limit, mode, ...(Object.keys(filter).length === 0 ? {} : { filter }) },
        signal,
      }),
    enabled: query !== '',
    staleTime: 60_000,
  });
}
