import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { Ended, EXIT } from './exitCode.ts';
import { httpFetch } from './httpFetch.ts';
import type { Place } from './place.ts';
import type { Resource } from './projectFolder.ts';

export const appFile = (slug: string) => `apps/${slug}.yaml`;
export const documentFile = (slug: string) => `apps/${slug}.openapi.json`;
export const pieceFile = (slug: string) => `apps/${slug}.piece.js`;

/** Uploads the documents and pieces next to the apps that name them. A server that has an equal one keeps it. */
export async function uploadAppContents(
  { url, apiKey }: Place,
  folder: string,
  resources: readonly Resource[],
): Promise<void> {
  for (const resource of resources) {
    const content = contentOf(resource);
    if (content === undefined) continue;
    const { file, digest } = content;
    // Absent after a pull: the server has it.
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    if (bytes === undefined) continue;
    if (createHash('sha256').update(bytes).digest('hex') !== digest) {
      throw new Ended(
        EXIT.blocked,
        `${file} is not the file that ${appFile(resource.slug)} names: import the app again`,
      );
    }
    const answer = await httpFetch(new URL(`/api/apps/contents/${digest}`, url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    if (!answer.ok) throw new Ended(EXIT.failed, `${file} was not uploaded: ${answer.status}`);
  }
}

function contentOf({ kind, slug, runs }: Resource): { file: string; digest: unknown } | undefined {
  if (kind !== 'app' || !isJsonObject(runs as Json)) return undefined;
  const { on, document, bundle } = runs as JsonObject;
  if (on === 'openapi') return { file: documentFile(slug), digest: document };
  return on === 'piece' ? { file: pieceFile(slug), digest: bundle } : undefined;
}
