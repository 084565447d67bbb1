import type { Arguments } from 'perdure-client';
import { ifMatch } from '../../app/api/ifMatch.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { VARIABLE_LIST } from './queries.ts';

const refreshVariables = () => QUERIES.invalidateQueries({ queryKey: VARIABLE_LIST });

export async function createVariable(body: Arguments<'createVariable'>['body']): Promise<void> {
  await client.createVariable({ body });
  await refreshVariables();
}

export async function updateVariable(
  variableId: string,
  etag: string | undefined,
  body: Arguments<'updateVariable'>['body'],
): Promise<void> {
  await client.updateVariable({ path: { variableId }, ...ifMatch(etag), body });
  await refreshVariables();
}

export async function deleteVariable(variableId: string): Promise<void> {
  await client.deleteVariable({ path: { variableId } });
  await refreshVariables();
}
