import type { Answer } from 'perdure-client';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';

export interface ImportedAction {
  actionId: string;
  name: string;
  effect: 'read' | 'write' | 'destructive';
}

/** `leftOut`: the parts of the document that the app does without. */
export type ImportedApp = Omit<Answer<'importApp'>, 'actions'> & { actions: ImportedAction[] };

export async function readOpenApi(openapi: string, operations?: readonly string[]): Promise<ImportedApp> {
  const body = { openapi, ...(operations === undefined ? {} : { operations: [...operations] }) };
  return (await client.importApp({ body })) as unknown as ImportedApp;
}

interface Imported {
  app: ImportedApp;
  document: string;
  slug: string;
  projectId: string;
  actionIds: readonly string[];
}

/** Reads the document again if some actions were left out: the app then keeps only what its calls need of it. */
export async function storeImported({ app, document, slug, projectId, actionIds }: Imported): Promise<void> {
  const isWhole = actionIds.length === app.actions.length;
  const chosen = isWhole ? app : await readOpenApi(document, actionIds);
  const body = { ...chosen, slug, managedByCode: false };
  await client.upsertApp({ path: { projectId }, body: body as never });
  readAgain();
}

export async function deleteApp(slug: string): Promise<void> {
  await client.deleteApp({ path: { app: slug } });
  readAgain();
}

function readAgain(): void {
  for (const key of ['listWorkflowApps', 'getWorkflowApp', 'listApps']) {
    void QUERIES.invalidateQueries({ queryKey: [key] });
  }
}
