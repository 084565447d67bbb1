import { isJsonObject } from '../../../domain/json.ts';

/** Undefined if the text is not a JSON object, for example while it is incomplete. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
