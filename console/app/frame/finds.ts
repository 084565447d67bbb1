import { queryOptions } from '@tanstack/react-query';
import { isUuid } from '../../../domain/isUuid.ts';
import { searchPair } from '../../features/executions/queries/executionFilter.ts';
import { escaped } from '../../ui/escaped.ts';
import type { Search } from '../../ui/search.ts';
import { WORDS } from '../../ui/words/words.ts';
import { CHOICES, choices } from '../api/choices.ts';
import type { Permission } from '../api/me.ts';
import { placesFor, settingsFor } from '../pages/places.ts';
import { client } from '../session/session.ts';
import { FINDER } from './finderWords.ts';

export interface Find {
  kind: keyof typeof FINDER.kinds;
  label: string;
  to: string;
  search?: Search;
}

const MAX_OF_KIND = 6;

export function foundPages(permissions: readonly Permission[], phrase: string): Find[] {
  const settings = settingsFor(permissions).map((page) => ({
    label: FINDER.setting(WORDS.navigation.settingsPages[page]),
    to: `/settings/${page}`,
  }));
  const all = [...placesFor(permissions).map(({ label, to }) => ({ label, to: to as string })), ...settings];
  return all.filter(({ label }) => holds(label, phrase)).map((each) => ({ kind: 'page', ...each }));
}

/** Returns the results that need no request. */
export function foundByPhrase(permissions: readonly Permission[], phrase: string): Find[] {
  if (phrase === '' || !permissions.includes('executions:read')) return [];
  if (isUuid(phrase)) return [{ kind: 'execution', label: FINDER.byId(phrase), to: `/executions/${phrase}` }];
  return [{ kind: 'execution', label: FINDER.all(phrase), to: '/executions', search: { q: phrase } }];
}

/** Lists that settings read in full are searched in the browser. */
export function findQueries(permissions: readonly Permission[], phrase: string) {
  const isAsked = phrase !== '' && !isUuid(phrase);
  const all = [
    { needs: 'executions:read', query: executionsOf(phrase) },
    { needs: CHOICES.listWorkflows, query: filtered('workflow', 'listWorkflows', `name:${escaped(phrase)}`) },
    { needs: 'queues:read', query: filtered('queue', 'listQueues', `search:${escaped(phrase)}`) },
    { needs: CHOICES.listAgents, query: named('agent', 'listAgents', phrase) },
    { needs: CHOICES.listKnowledge, query: named('knowledge', 'listKnowledge', phrase) },
    { needs: CHOICES.listObjectTypes, query: typesOf(phrase) },
  ] as const;
  return isAsked ? all.filter(({ needs }) => permissions.includes(needs)).map(({ query }) => query) : [];
}

function executionsOf(phrase: string) {
  const query = { expansion: 'executionNumber,name', filterBy: searchPair(phrase) ?? '', limit: MAX_OF_KIND };
  return queryOptions({
    queryKey: ['listExecutions', 'found', phrase],
    queryFn: async ({ signal }): Promise<Find[]> =>
      (await client.listExecutions({ query, signal })).map(({ id, executionNumber = 0, name = '' }) => ({
        kind: 'execution',
        label: FINDER.execution(executionNumber, name),
        to: `/executions/${id}`,
      })),
  });
}

const FOLDERS = { workflow: 'workflows', queue: 'queues', agent: 'agents', knowledge: 'knowledge' } as const;
type Named = keyof typeof FOLDERS;

const findOf =
  (kind: Named) =>
  (row: { id: string; name: string }): Find => ({
    kind,
    label: row.name,
    to: `/${FOLDERS[kind]}/${row.id}`,
  });

function filtered(kind: Named, list: 'listWorkflows' | 'listQueues', filterBy: string) {
  return queryOptions({
    queryKey: [list, 'found', filterBy],
    queryFn: async ({ signal }): Promise<Find[]> => {
      const rows: { id: string; name: string }[] = await client[list]({
        query: { expansion: 'name', filterBy, limit: MAX_OF_KIND },
        signal,
      });
      return rows.map(findOf(kind));
    },
  });
}

function named(kind: Named, list: 'listAgents' | 'listKnowledge', phrase: string) {
  return {
    ...choices(list),
    select: (all: { id: string; name: string }[]): Find[] => matching(all, phrase).map(findOf(kind)),
  };
}

function typesOf(phrase: string) {
  return queryOptions({
    queryKey: ['listObjectTypes', 'slugs'],
    queryFn: ({ signal }) => client.listObjectTypes({ query: { expansion: 'name,slug', limit: 1_000 }, signal }),
    staleTime: 60_000,
    select: (all): Find[] =>
      matching(all, phrase).map(({ name, slug }) => ({ kind: 'objectType', label: name, to: `/objects/${slug}` })),
  });
}

function matching<T extends { name: string }>(all: readonly T[], phrase: string): T[] {
  return all.filter(({ name }) => holds(name, phrase)).slice(0, MAX_OF_KIND);
}

function holds(text: string, phrase: string): boolean {
  return text.toLowerCase().includes(phrase.toLowerCase());
}
