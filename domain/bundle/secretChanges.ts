import { isJsonObject, type JsonObject } from '../json.ts';
import { HIDDEN_SECRET } from '../workflow/maskTrigger.ts';
import type { BundleKind, FieldChange, StoredResource } from './bundle.ts';

/** Returns the places of a bundle's secrets. They always count as changed, so that no plan confirms a guess. */
export function givenSecrets(kind: BundleKind, body: JsonObject, stored: StoredResource | undefined): string[] {
  if (kind === 'variable') {
    const isSecret = body.isSecret === true || stored?.fields.isSecret === true;
    return isSecret && body.value !== undefined && body.value !== HIDDEN_SECRET ? ['value'] : [];
  }
  if (kind === 'app') return isGiven(body.secret) ? ['secret'] : [];
  const { trigger } = body;
  if (kind !== 'workflow' || !isJsonObject(trigger) || !isJsonObject(trigger.config)) return [];
  const { secret, hmac } = trigger.config;
  return [
    ...(isGiven(secret) ? ['trigger.config.secret'] : []),
    ...(isJsonObject(hmac) && isGiven(hmac.secret) ? ['trigger.config.hmac.secret'] : []),
  ];
}

const isGiven = (secret: unknown): boolean => typeof secret === 'string' && secret !== HIDDEN_SECRET;

export function withSecretChanges(changes: readonly FieldChange[], places: readonly string[]): FieldChange[] {
  const isCovered = (place: string) => changes.some(({ path }) => path === place || place.startsWith(`${path}.`));
  const added = places.filter((place) => !isCovered(place));
  return [...changes, ...added.map((path) => ({ path, from: HIDDEN_SECRET, to: HIDDEN_SECRET }))];
}

/** Lists every field of a variable as changed, for callers that may write variables but not read them. */
export function unreadChanges(shown: JsonObject): FieldChange[] {
  return Object.entries(shown).map(([path, to]) => ({ path, from: null, to }));
}
