import { isJsonObject, type Json } from '../json.ts';

const PREVIEW = 1_000;

export interface OffloadedResult {
  /** The id for the tool read_tool_result. */
  resultId: string;
  bytes: number;
  preview: string;
  note: string;
}

export function isOffloaded(output: unknown): boolean {
  return isJsonObject(output) && ['resultId', 'preview', 'note'].every((name) => typeof output[name] === 'string');
}

/** Returns undefined if the result has at most `aboveBytes`. */
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
    note: `The result is large, and this is only its beginning. Read the rest in parts with the tool ${readBy}.`,
  };
}
