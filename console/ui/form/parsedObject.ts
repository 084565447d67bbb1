import { isJsonObject } from '../../../domain/json.ts';

/** Undefined where the text is not a JSON object, as one that is still being written. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
