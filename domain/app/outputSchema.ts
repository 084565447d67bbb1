/** JSON Schema, limited to the keywords that the validator reads (domain/workflow/knownKinds.ts). */
export interface OutputSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | readonly ['string', 'null'];
  items?: OutputSchema;
  properties?: Readonly<Record<string, OutputSchema>>;
  required?: readonly string[];
  /** False if only `properties` are allowed. */
  additionalProperties?: false;
}

export const ANYTHING: OutputSchema = {};
export const A_TEXT: OutputSchema = { type: 'string' };
export const A_NUMBER: OutputSchema = { type: 'number' };
export const A_COUNT: OutputSchema = { type: 'integer' };
export const A_FLAG: OutputSchema = { type: 'boolean' };
export const AN_OBJECT: OutputSchema = { type: 'object' };

export function listOf(items: OutputSchema = ANYTHING): OutputSchema {
  return { type: 'array', items };
}

/** Makes the schema of an object with exactly these members; `optional` ones may be absent. */
export function fixed(
  members: Readonly<Record<string, OutputSchema>>,
  optional: Readonly<Record<string, OutputSchema>> = {},
): OutputSchema {
  return {
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  };
}

export const TOKEN_COUNTS = {
  inputTokens: A_COUNT,
  outputTokens: A_COUNT,
  totalTokens: A_COUNT,
  cachedInputTokens: A_COUNT,
  reasoningTokens: A_COUNT,
};
