import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/session/session.ts';

const MAX_NAMES = 1_000;

export type ResourceKind = keyof typeof LISTS;

interface Choice {
  value: string;
  label: string;
}

const named = (rows: { id: string; name: string }[]): Choice[] =>
  rows.map(({ id, name }) => ({ value: id, label: name }));
const slugged = (rows: { slug?: string | undefined; name: string }[]): Choice[] =>
  rows.flatMap(({ slug, name }) => (slug === undefined ? [] : [{ value: slug, label: name }]));

const LISTS = {
  workflow: 'listWorkflows',
  agent: 'listAgents',
  queue: 'listQueues',
  objectType: 'listObjectTypes',
  knowledge: 'listKnowledge',
} as const;

export function resources(kind: ResourceKind, by: 'id' | 'slug') {
  const query = by === 'slug' ? { limit: MAX_NAMES, expansion: 'name,slug' } : { limit: MAX_NAMES };
  const of = by === 'slug' ? slugged : named;
  const read: Record<ResourceKind, (signal: AbortSignal) => Promise<Choice[]>> = {
    workflow: async (signal) => of(await client.listWorkflows({ query, signal })),
    agent: async (signal) => of(await client.listAgents({ query, signal })),
    queue: async (signal) => of(await client.listQueues({ query, signal })),
    objectType: async (signal) => of(await client.listObjectTypes({ query, signal })),
    knowledge: async (signal) => of(await client.listKnowledge({ query, signal })),
  };
  return queryOptions({
    // Part of the list's key, so that creating a resource on another page reloads it.
    queryKey: [LISTS[kind], 'by', by],
    queryFn: ({ signal }) => read[kind](signal),
  });
}
