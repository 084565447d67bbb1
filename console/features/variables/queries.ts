import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { etagOf } from '../../app/api/ifMatch.ts';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const ROW = 'name,description,updatedAt,value,isSecret,project';

export type Variable = Answer<'listVariables'>[number];

export const VARIABLE_LIST = ['listVariables'];

export const variablePages = (projectId: string | undefined) =>
  pagesOf('listVariables', {
    query: { expansion: ROW, ...(projectId === undefined ? {} : { filterBy: `projectId:${projectId}` }) },
  });

/** The current variable with its ETag. Each dialog reads it again when it opens. */
export function freshVariable(variableId: string) {
  return queryOptions({
    queryKey: ['getVariable', variableId],
    queryFn: () => readVariable(variableId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readVariable(variableId: string): Promise<{ variable: Variable; etag: string | undefined }> {
  const answer = await client.send('getVariable', { path: { variableId }, query: { expansion: ROW } });
  return { variable: (await answer.json()) as Variable, etag: etagOf(answer) };
}
