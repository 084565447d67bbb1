import { Problem } from '../../../domain/problem.ts';
import { putContent } from '../../../prisma/store/app/contents.ts';
import type { Services } from '../../services.ts';

/** Throws CONFLICT beyond MAX_APP_UPLOADS contents that no app names. */
export async function storeContent(
  { config, database }: Pick<Services, 'config' | 'database'>,
  workspaceId: string,
  digest: string,
  bytes: Buffer,
): Promise<void> {
  const maxUploads = config.MAX_APP_UPLOADS;
  const content = new Uint8Array(bytes);
  if (await putContent(database, workspaceId, { digest, content, maxUploads })) return;
  const detail = `The workspace has ${maxUploads} contents that no app names, which is the maximum (MAX_APP_UPLOADS)`;
  throw new Problem('CONFLICT', `${detail}: upsert their apps, or wait until they are deleted after a day`);
}
