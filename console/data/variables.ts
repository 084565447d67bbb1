import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../session.ts';
import { pagesOf } from './pages.ts';

const ROW = 'name,description,updatedAt,value,isSecret,project';

export type Variable = Answer<'listVariables'>[number];

/** Variables of one project, or all. */
export const variablePages = (projectId: string | undefined) =>
  pagesOf('listVariables', {
    query: { expansion: ROW, ...(projectId === undefined ? {} : { filterBy: `projectId:${projectId}` }) },
  });

/** A variable as it is now, with the tag that guards a change of it. */
export async function freshVariable(variableId: string): Promise<{ variable: Variable; tag: string | null }> {
  const answer = await client.send('getVariable', { path: { variableId }, query: { expansion: ROW } });
  return { variable: (await answer.json()) as Variable, tag: answer.headers.get('etag') };
}

const MOST_PROJECTS = 1_000;

/** Projects to choose from. */
export function projectNames() {
  return queryOptions({
    queryKey: ['listProjects', 'names'],
    queryFn: ({ signal }) => client.listProjects({ query: { expansion: 'name', limit: MOST_PROJECTS }, signal }),
    staleTime: 60_000,
  });
}
