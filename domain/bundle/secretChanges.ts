import { isJsonObject, type JsonObject } from '../json.ts';
import { HIDDEN_SECRET } from '../workflow/maskTrigger.ts';
import type { BundleKind, FieldChange, StoredResource } from './bundle.ts';

/**
 * The places of secrets that a bundle gives. They always count as changed: otherwise a plan would say whether a guess is the
 * stored secret. A mask is no value.
 */
export function givenSecrets(kind: BundleKind, body: JsonObject, stored: StoredResource | undefined): string[] {
  if (kind === 'variable') {
    const isSecret = body.isSecret === true || stored?.fields.isSecret === true;
    return isSecret && body.value !== undefined && body.value !== HIDDEN_SECRET ? ['value'] : [];
  }
  const { trigger } = body;
  if (kind !== 'workflow' || !isJsonObject(trigger) || !isJsonObject(trigger.config)) return [];
  const { secret, hmac } = trigger.config;
  return [
    ...(isGiven(secret) ? ['trigger.config.secret'] : []),
    ...(isJsonObject(hmac) && isGiven(hmac.secret) ? ['trigger.config.hmac.secret'] : []),
  ];
}

const isGiven = (secret: unknown): boolean => typeof secret === 'string' && secret !== HIDDEN_SECRET;

/** The changes with those of secrets added if the stored secret is the same. */
export function withSecretChanges(changes: readonly FieldChange[], places: readonly string[]): FieldChange[] {
  const isCovered = (place: string) => changes.some(({ path }) => path === place || place.startsWith(`${path}.`));
  const added = places.filter((place) => !isCovered(place));
  return [...changes, ...added.map((path) => ({ path, from: HIDDEN_SECRET, to: HIDDEN_SECRET }))];
}

/** Every field of a variable as changed, for callers that may write variables and not read them. */
export function unreadChanges(shown: JsonObject): FieldChange[] {
  return Object.entries(shown).map(([path, to]) => ({ path, from: null, to }));
}
