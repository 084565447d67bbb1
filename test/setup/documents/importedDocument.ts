import { expect } from '@jest/globals';
import { readApp } from '../../../domain/app/customManifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { type ImportedApp, type ImportOptions, importedApp } from '../../../domain/openapi/importedApp.ts';

/** Returns the app of an OpenAPI document, which must be one that can be stored. */
export async function imported(document: JsonObject, options?: ImportOptions): Promise<ImportedApp> {
  const app = await importedApp(document, options);
  if ('problems' in app) throw new Error(JSON.stringify(app.problems));
  const { document: _, leftOut: __, ...manifest } = app;
  const given = { ...manifest, slug: 'a', runs: { on: 'openapi', document: '0'.repeat(64) } };
  expect(readApp(given, { maxActions: 100, maxBytes: 1_000_000 }, new Map()).problems).toEqual([]);
  return app;
}

export async function problemsOf(document: unknown, options?: ImportOptions) {
  const app = await importedApp(document, options);
  return 'problems' in app ? app.problems : [];
}
