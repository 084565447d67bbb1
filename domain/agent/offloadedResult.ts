import { isJsonObject, type Json } from '../json.ts';

/** Characters of a large result that the model is shown at once. */
const PREVIEW = 1_000;

/** The replacement in the message for a result that is stored outside it. */
export interface OffloadedResult {
  /** By which the tool read_tool_result finds it. */
  resultId: string;
  /** Size as JSON. */
  bytes: number;
  /** Its beginning. */
  preview: string;
  note: string;
}

export function isOffloaded(output: unknown): boolean {
  return isJsonObject(output) && ['resultId', 'preview', 'note'].every((name) => typeof output[name] === 'string');
}

/** Undefined where the result is not larger than `aboveBytes`. */
export function offloaded(
  output: Json,
  resultId: string,
  aboveBytes: number,
  readBy: string,
): OffloadedResult | undefined {
  const json = JSON.stringify(output);
  const bytes = Buffer.byteLength(json);
  if (bytes <= aboveBytes) return undefined;
  const preview = [...(typeof output === 'string' ? output : json).slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join('');
  return {
    resultId,
    bytes,
    preview,
    note: `The result is large, and this only its beginning. Read it in parts by the tool ${readBy}.`,
  };
}
