import { randomBytes } from 'node:crypto';
import { shownSigningSecret } from '../../domain/event/signedMessage.ts';
import type { Database } from '../../prisma/client.ts';
import { putAppSecret, readAppSecret } from '../../prisma/store/app/secrets.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { sealPlace } from '../secrets/sealPlace.ts';

const SECRET_BYTES = 32;

interface AppSecretParts {
  database: Database;
  sealer: Sealer;
}

/** Stores the secret that the author gave. */
export async function giveAppSecret(
  { database, sealer }: AppSecretParts,
  { workspaceId, appId, secret }: { workspaceId: string; appId: string; secret: string },
): Promise<void> {
  const sealed = sealer.seal(sealPlace('app_secrets', { workspace_id: workspaceId, app_id: appId }), secret);
  await putAppSecret(database, workspaceId, { appId, ...sealed }, { replaces: true });
}

/** Makes a secret for an app without one, and returns it. Undefined if the app has one. */
export async function makeAppSecret(
  { database, sealer }: AppSecretParts,
  { workspaceId, appId }: { workspaceId: string; appId: string },
): Promise<string | undefined> {
  const secret = shownSigningSecret(randomBytes(SECRET_BYTES));
  const sealed = sealer.seal(sealPlace('app_secrets', { workspace_id: workspaceId, app_id: appId }), secret);
  const isMade = await putAppSecret(database, workspaceId, { appId, ...sealed }, { replaces: false });
  return isMade ? secret : undefined;
}

/** Undefined if the workspace has no such app, or if it has no secret. */
export async function openAppSecret(
  { database, sealer }: AppSecretParts,
  { workspaceId, ...which }: { workspaceId: string } & ({ slug: string } | { appId: string }),
): Promise<string | undefined> {
  const found = await readAppSecret(database, workspaceId, which);
  if (!found) return undefined;
  const { appId, ...sealed } = found;
  return sealer.open(sealPlace('app_secrets', { workspace_id: workspaceId, app_id: appId }), sealed);
}
