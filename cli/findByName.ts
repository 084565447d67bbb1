import type { Perdure } from '#client';
import { isUuid } from '../domain/isUuid.ts';
import { Ended, EXIT, Usage } from './exitCode.ts';
import type { Place } from './place.ts';

interface Named {
  id: string;
  slug?: string | null;
  name?: string;
}

const LISTS = {
  project: (client: Perdure) => client.paginate('listProjects', { query: { expansion: 'slug,name' } }),
  workflow: (client: Perdure, query: object) =>
    client.paginate('listWorkflows', { query: { ...query, expansion: 'slug' } }),
  agent: (client: Perdure, query: object) => client.paginate('listAgents', { query: { ...query, expansion: 'slug' } }),
  connection: (client: Perdure) => client.paginate('listConnections', { query: { expansion: 'slug,name' } }),
  queue: (client: Perdure, query: object) => client.paginate('listQueues', { query: { ...query, expansion: 'slug' } }),
};

export type FoundKind = keyof typeof LISTS;

/** Replaces a slug or name of the project by its id. */
export async function withProjectId(place: Place): Promise<Place> {
  const { projectId } = place;
  return projectId === undefined ? place : { ...place, projectId: await findId(place, 'project', projectId) };
}

/** Returns the id for an id, a slug, a name or, except of a project, the unique beginning of a slug. */
export async function findId({ client, projectId }: Place, kind: FoundKind, word: string): Promise<string> {
  if (isUuid(word)) return word;
  const query = projectId === undefined ? {} : { filterBy: `projectId:${projectId}` };
  const all: Named[] = [];
  for await (const each of LISTS[kind](client, query) as AsyncIterable<Named>) {
    if (each.slug === word) return each.id;
    all.push(each);
  }
  const similar = all.filter(({ slug, name }) => name === word || (kind !== 'project' && slug?.startsWith(word)));
  if (similar.length === 1) return (similar[0] as Named).id;
  const names = (similar.length > 1 ? similar : all).map(({ slug, name }) => slug ?? name).slice(0, 10);
  const which = similar.length > 1 ? 'Several match' : 'There are';
  throw new Ended(EXIT.notFound, `No ${kind} ${word}. ${which}: ${names.join(', ') || 'none'}`);
}

export async function findExecution({ client }: Place, word: string): Promise<string> {
  if (isUuid(word)) return word;
  const number = /^#?(\d+)$/.exec(word)?.[1];
  if (number === undefined) throw new Usage(`Expected the id or #number of an execution, not ${word}`);
  const [found] = await client.listExecutions({ query: { filterBy: `number:${number}`, limit: 1 } });
  if (found) return found.id;
  throw new Ended(EXIT.notFound, `No execution #${number}`);
}
