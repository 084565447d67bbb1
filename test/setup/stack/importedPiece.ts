import { expect } from '@jest/globals';
import type { Home } from '../workspace/home.ts';
import { commandFolder } from './commandLine.ts';

interface Import {
  slug: string;
  package: string;
  actions?: string[];
}

/** Imports a piece of npm by the command line, applies the folder, and connects its app with the credentials. */
export async function importedPiece(
  { url, apiKey, projectId, api }: Home,
  { slug, package: name, actions }: Import,
  credentials?: { type: string; values: object },
) {
  const at = commandFolder({ PERDURE_URL: url, PERDURE_API_KEY: apiKey, PERDURE_PROJECT: projectId });
  const chosen = actions === undefined ? [] : ['--actions', actions.join(',')];
  const imported = await at.perdure(['app', 'import', 'piece', name, '--as', slug, ...chosen]);
  expect(imported).toMatchObject({ code: 0 });
  expect(await at.perdure(['apply', '.', '--yes'])).toMatchObject({ code: 0 });
  if (credentials !== undefined) {
    const connect = `/api/workflow-apps/${slug}/connections/${credentials.type}/connect`;
    const { status } = await api('POST', connect, { body: { credentials: credentials.values } });
    expect(status).toBe(200);
  }
  return { ...at, imported };
}
