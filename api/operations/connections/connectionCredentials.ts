import type { ConnectionType } from '../../../domain/app/manifest.ts';
import { type OAuth2Settings, WrongOAuth2, withTokens } from '../../../domain/app/oauth2.ts';
import type { Field } from '../../../domain/field.ts';
import { checkFieldValues } from '../../../domain/fieldValues.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { inPath } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { OAuth2Refused, OAuth2Unavailable } from '../../../engine/connections/oauth2Requests.ts';
import type { Credentials } from '../../../engine/secrets/credentialVault.ts';
import type { Services } from '../../services.ts';

export interface CredentialPlace {
  workspaceId: string;
  appId: string;
  type: ConnectionType;
}

export function requireConnectionType(
  { catalogue }: Pick<Services, 'catalogue'>,
  { appId, connectionId }: { appId: string; connectionId: string },
): ConnectionType {
  const type = catalogue.get(appId)?.connectionTypes.find((one) => one.connectionId === connectionId);
  if (!type) throw new Problem('NOT_FOUND', 'The app or its connection type does not exist');
  return type;
}

/** Throws VALIDATION_FAILED. */
export function parseCredentials(type: ConnectionType, given: object): Credentials {
  const { values, problems } = checkFieldValues(type.fields, withNumbers(type.fields, given as JsonObject), 'reject');
  if (problems.length > 0) throw unfit(problems);
  return asCredentials(values);
}

export function settingsOf(
  services: Services,
  { appId, type }: CredentialPlace,
  credentials: Credentials,
): OAuth2Settings {
  try {
    return services.connectionTokens.settingsOf(appId, type, credentials);
  } catch (error) {
    if (error instanceof WrongOAuth2) throw unfit([{ path: error.field, message: error.message }]);
    throw error;
  }
}

/** Returns credentials that the app, and for clientCredentials the provider, has accepted; otherwise a message. */
export async function verifiedCredentials(
  services: Services,
  place: CredentialPlace,
  credentials: Credentials,
): Promise<{ credentials: Credentials } | { message: string }> {
  const { workspaceId, appId, type } = place;
  const message = await services.connectionChecks.get(appId)?.(type.connectionId, credentials, workspaceId);
  if (message !== undefined) return { message };
  const settings = type.type === 'oauth2' ? settingsOf(services, place, credentials) : undefined;
  if (settings?.grant !== 'clientCredentials') return { credentials };
  try {
    const tokens = await services.oauth2.renew({ workspaceId, appId, settings }, undefined);
    return { credentials: withTokens(credentials, tokens) };
  } catch (error) {
    if (error instanceof OAuth2Refused || error instanceof OAuth2Unavailable) return { message: error.message };
    throw error;
  }
}

export function credentialsRefused(message: string): Problem {
  const errors = [{ path: 'credentials', message }];
  return new Problem('VALIDATION_FAILED', 'The app does not accept these credentials', { errors });
}

function unfit(problems: readonly { path: string; message: string }[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The credentials do not match the connection type', {
    errors: problems.map(({ path, message }) => ({ path: inPath('credentials', path), message })),
  });
}

/** Forms send numbers as strings, too. */
function withNumbers(fields: readonly Field[], credentials: JsonObject): JsonObject {
  const numbers = new Set(fields.filter(({ type }) => type === 'number').map(({ key }) => key));
  const isNumber = (value: Json) => typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [
      key,
      numbers.has(key) && isNumber(value) ? Number(value) : value,
    ]),
  );
}

/** Executors get strings: lists and objects as JSON. Empty fields (null) are omitted. */
function asCredentials(values: JsonObject): Credentials {
  const present = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}
