import type { Answer, Arguments } from 'perdure-client';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { ENTITY_READS } from './entityReads.ts';
import { typeKey } from './queries.ts';

/** Reloads everything that shows the changed entity, including lists. */
export async function refreshObjects(): Promise<void> {
  await Promise.all(ENTITY_READS.map((operation) => QUERIES.invalidateQueries({ queryKey: [operation] })));
}

/** The caller refreshes, after other writes of the same form. */
export const createEntity = (body: Arguments<'createObject'>['body']) => client.createObject({ body });

export const updateEntity = (id: string, body: Arguments<'updateObject'>['body']) =>
  client.updateObject({ path: { id }, body });

/** Moves an entity to another state. The caller refreshes, also after an error: its list of moves may be stale. */
export const setEntityState = (id: string, body: Arguments<'setObjectState'>['body']) =>
  client.setObjectState({ path: { id }, body });

export async function restoreEntity(id: string): Promise<void> {
  await client.restoreObject({ path: { id } });
  await refreshObjects();
}

/** The caller refreshes after leaving the entity's page, which would otherwise reload a deleted entity. */
export const deleteEntity = (id: string) => client.deleteObject({ path: { id } });

export async function importEntities(body: Arguments<'importObjects'>['body']): Promise<Answer<'importObjects'>> {
  const summary = await client.importObjects({ body });
  if (body.dryRun !== true) await refreshObjects();
  return summary;
}

/** Creates or changes the type with the slug; a dry run only checks it. The caller refreshes. */
export const saveType = (body: Arguments<'upsertObjectType'>['body']) => client.upsertObjectType({ body });

export async function refreshType(slug: string): Promise<void> {
  await QUERIES.invalidateQueries({ queryKey: typeKey(slug) });
  await refreshObjects();
}

/** The caller refreshes after leaving the type's page, which would otherwise reload a deleted type. */
export const deleteType = (id: string) => client.deleteObjectType({ path: { id } });
