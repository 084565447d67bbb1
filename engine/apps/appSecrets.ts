import { randomBytes } from 'node:crypto';
import { shownSigningSecret } from '../../domain/event/signedMessage.ts';
import type { Database } from '../../prisma/client.ts';
import { putAppSecrets, readAppSecret } from '../../prisma/store/app/secrets.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { sealPlace } from '../secrets/sealPlace.ts';

const SECRET_BYTES = 32;

interface AppSecretParts {
  database: Database;
  sealer: Sealer;
}

export interface AppSecret {
  appId: string;
  secret: string;
}

/** Stores secrets that the author gave. */
export async function giveAppSecrets(
  { database, sealer }: AppSecretParts,
  workspaceId: string,
  secrets: readonly AppSecret[],
): Promise<void> {
  await putAppSecrets(database, workspaceId, sealedSecrets(sealer, workspaceId, secrets), { replaces: true });
}

/** Makes secrets for those of the apps that have none, and returns them by the app's id. */
export async function makeAppSecrets(
  { database, sealer }: AppSecretParts,
  workspaceId: string,
  appIds: readonly string[],
): Promise<Map<string, string>> {
  const secrets = appIds.map((appId) => ({ appId, secret: shownSigningSecret(randomBytes(SECRET_BYTES)) }));
  const sealed = sealedSecrets(sealer, workspaceId, secrets);
  const made = await putAppSecrets(database, workspaceId, sealed, { replaces: false });
  return new Map(secrets.flatMap(({ appId, secret }) => (made.has(appId) ? [[appId, secret]] : [])));
}

function sealedSecrets(sealer: Sealer, workspaceId: string, secrets: readonly AppSecret[]) {
  return secrets.map(({ appId, secret }) => {
    const place = sealPlace('app_secrets', { workspace_id: workspaceId, app_id: appId });
    return { appId, ...sealer.seal(place, secret) };
  });
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
