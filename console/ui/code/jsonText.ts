/** Returns the parsed value or the parser's message. */
export function parsedJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export const jsonText = (value: unknown): string => JSON.stringify(value ?? null, null, 2);
