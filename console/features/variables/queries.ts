import type { Answer } from 'perdure-client';
import { etagOf } from '../../app/api/ifMatch.ts';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const ROW = 'name,description,updatedAt,value,isSecret,project';

export type Variable = Answer<'listVariables'>[number];

/** Variables of one project, or all. */
export const variablePages = (projectId: string | undefined) =>
  pagesOf('listVariables', {
    query: { expansion: ROW, ...(projectId === undefined ? {} : { filterBy: `projectId:${projectId}` }) },
  });

/** A variable as it is now, with its ETag. */
export async function freshVariable(variableId: string): Promise<{ variable: Variable; etag: string | undefined }> {
  const answer = await client.send('getVariable', { path: { variableId }, query: { expansion: ROW } });
  return { variable: (await answer.json()) as Variable, etag: etagOf(answer) };
}
