import { createHash } from 'node:crypto';
import { Problem } from '../../../domain/problem.ts';
import { putContent } from '../../../prisma/store/app/contents.ts';
import type { Services } from '../../services.ts';

/** Returns the SHA-256 of the bytes. Throws VALIDATION_FAILED if `expected` is another one, and CONFLICT beyond MAX_APP_UPLOADS. */
export async function storeContent(
  { config, database }: Pick<Services, 'config' | 'database'>,
  workspaceId: string,
  bytes: Buffer,
  expected?: string,
): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (expected !== undefined && digest !== expected) {
    throw new Problem('VALIDATION_FAILED', `The SHA-256 of the body is ${digest}, not the digest of the path`, {
      errors: [{ path: 'digest', message: 'expected the SHA-256 of the body' }],
    });
  }
  const maxUploads = config.MAX_APP_UPLOADS;
  const content = new Uint8Array(bytes);
  if (await putContent(database, workspaceId, { digest, content, maxUploads })) return digest;
  const detail = `The workspace has ${maxUploads} contents that no app names, which is the maximum (MAX_APP_UPLOADS)`;
  throw new Problem('CONFLICT', `${detail}: upsert their apps, or wait until they are deleted after a day`);
}
