import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../domain/json.ts';
import { Ended, EXIT } from './exitCode.ts';
import { httpFetch } from './httpFetch.ts';
import type { Place } from './place.ts';
import type { Resource } from './projectFolder.ts';

export const appFile = (slug: string) => `apps/${slug}.yaml`;
export const documentFile = (slug: string) => `apps/${slug}.openapi.json`;

/** Uploads the documents next to the apps that name them. A server that has an equal one keeps it. */
export async function uploadDocuments(
  { url, apiKey }: Place,
  folder: string,
  resources: readonly Resource[],
): Promise<void> {
  for (const { kind, slug, runs } of resources) {
    if (kind !== 'app' || !isJsonObject(runs as Json) || (runs as { on?: Json }).on !== 'openapi') continue;
    const { document } = runs as { document?: Json };
    const bytes = await readFile(join(folder, documentFile(slug))).catch(() => undefined);
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== document) continue;
    const answer = await httpFetch(new URL(`/api/apps/contents/${document}`, url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    if (!answer.ok) throw new Ended(EXIT.failed, `${documentFile(slug)} was not uploaded: ${answer.status}`);
  }
}
