import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { MASK } from './maskSecrets.ts';

const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'x-api-key', 'x-webhook-secret']);

/** Returns the value of `trigger` for display, without the credentials of a webhook's caller. */
export function shownTrigger(triggerType: string | null, trigger: Json): Json {
  if (triggerType !== 'webhook' || !isJsonObject(trigger) || !isJsonObject(trigger.headers)) return trigger;
  const headers = Object.entries(trigger.headers).map(([name, value]) => [
    name,
    CREDENTIAL_HEADERS.has(name.toLowerCase()) ? MASK : value,
  ]);
  return { ...trigger, headers: Object.fromEntries(headers) as JsonObject };
}
