import { isJsonObject, type Json } from '../json.ts';

/** Stands where a secret is not shown. */
export const MASK = '********';

/** A trigger for people to see: secrets of webhooks are masked. */
export function maskTrigger(trigger: Json): Json {
  if (!isJsonObject(trigger) || !isJsonObject(trigger.config)) return trigger;
  const config = { ...trigger.config };
  if (config.secret !== undefined) config.secret = MASK;
  if (isJsonObject(config.hmac) && config.hmac.secret !== undefined) config.hmac = { ...config.hmac, secret: MASK };
  return { ...trigger, config };
}

/** Whether someone sends back a trigger as it was shown: its secrets would be lost. */
export function holdsMask(trigger: Json | undefined): boolean {
  if (!isJsonObject(trigger) || !isJsonObject(trigger.config)) return false;
  const { secret, hmac } = trigger.config;
  return secret === MASK || (isJsonObject(hmac) && hmac.secret === MASK);
}
