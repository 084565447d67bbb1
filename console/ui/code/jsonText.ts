import { isJsonObject } from '../../../domain/json.ts';

/** Returns the parsed value or the parser's message. */
export function parsedJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export const jsonText = (value: unknown): string => JSON.stringify(value ?? null, null, 2);

/** Undefined if the text is not a JSON object, for example while it is incomplete. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
