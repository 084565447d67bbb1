import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import type { ActionResult, CallConnection } from '../executor.ts';

const OPEN: ReadonlySet<string> = new Set([
  ...['grant', 'authorizationUrl', 'tokenUrl', 'scopes', 'clientId', 'allowedHosts', 'header', 'prefix', 'username'],
  ...['expiresAt', 'lastsMs', 'clientAuth'],
]);

export function credentialTexts(connection: CallConnection | undefined): string[] {
  if (connection === undefined) return [];
  const { type, credentials } = connection;
  const secrets = Object.entries(credentials).flatMap(([key, value]) => (OPEN.has(key) ? [] : [value]));
  if (type !== 'basic') return secrets;
  const { username = '', password = '' } = credentials;
  return [...secrets, Buffer.from(`${username}:${password}`, 'utf8').toString('base64')];
}

/** A host may repeat the credential. Masking the stored value would be too late: a later step could reverse it. */
export function maskedResult(result: ActionResult, secrets: readonly string[]): ActionResult {
  if (secrets.length === 0) return result;
  if (!result.ok) return { ...result, failure: maskSecrets(result.failure as unknown as JsonObject, secrets) as never };
  const { output } = result;
  if (!isJsonObject(output)) return result;
  const { headers = null, body = null } = output;
  return { ...result, output: { ...output, headers: maskSecrets(headers, secrets), body: maskedBody(body, secrets) } };
}

function maskedBody(body: Json, secrets: readonly string[]): Json {
  const shown = maskSecrets(body, secrets);
  // For Base64 bodies: maskSecrets would leave the digits at the edges of a secret.
  if (typeof body !== 'string' || !isBase64(body)) return shown;
  const bytes = Buffer.from(body, 'base64').toString('latin1');
  const masked = maskSecrets(
    bytes,
    secrets.map((secret) => Buffer.from(secret).toString('latin1')),
  );
  return masked === bytes ? shown : Buffer.from(masked, 'latin1').toString('base64');
}

const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length >= 4;
