import { isJsonObject, type Json } from '../json.ts';

export const HIDDEN_SECRET = '********';

export function maskTrigger(trigger: Json): Json {
  if (!isJsonObject(trigger) || !isJsonObject(trigger.config)) return trigger;
  const config = { ...trigger.config };
  if (config.secret !== undefined) config.secret = HIDDEN_SECRET;
  if (isJsonObject(config.hmac) && config.hmac.secret !== undefined)
    config.hmac = { ...config.hmac, secret: HIDDEN_SECRET };
  return { ...trigger, config };
}

/** Returns true if a trigger contains masks from an earlier read, which would overwrite its secrets. */
export function holdsMask(trigger: Json | undefined): boolean {
  if (!isJsonObject(trigger) || !isJsonObject(trigger.config)) return false;
  const { secret, hmac } = trigger.config;
  return secret === HIDDEN_SECRET || (isJsonObject(hmac) && hmac.secret === HIDDEN_SECRET);
}

/** Replaces the masks in a trigger with the stored secrets, if there are any. */
export function unmaskTrigger(trigger: Json | undefined, stored: Json | undefined): Json | undefined {
  if (!holdsMask(trigger) || !isJsonObject(trigger) || !isJsonObject(trigger.config)) return trigger;
  const known = isJsonObject(stored) && isJsonObject(stored.config) ? stored.config : {};
  const config = { ...trigger.config };
  if (config.secret === HIDDEN_SECRET && known.secret !== undefined) config.secret = known.secret;
  if (isJsonObject(config.hmac) && config.hmac.secret === HIDDEN_SECRET && isJsonObject(known.hmac)) {
    config.hmac = { ...config.hmac, secret: known.hmac.secret ?? HIDDEN_SECRET };
  }
  return { ...trigger, config };
}
