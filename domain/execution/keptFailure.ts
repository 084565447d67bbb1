import type { JsonObject } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import { storableText, storageProblem } from '../storableJson.ts';

/** Each attempt of a step keeps its failure, and each read of the execution shows them all. */
export const MAX_FAILURE_MESSAGE = 10_000;
export const MAX_FAILURE_DETAILS_BYTES = 65_536;

/** A failure as a step's row keeps it. A service or a worker may have sent anything. */
export function keptFailure({ message, details }: { message: string; details?: JsonObject }): {
  message: string;
  details?: JsonObject;
} {
  const text = storableText(message.slice(0, MAX_FAILURE_MESSAGE));
  if (details === undefined) return { message: text };
  const problem = detailsProblem(details);
  return { message: text, details: problem === undefined ? details : { omitted: problem } };
}

function detailsProblem(details: JsonObject): string | undefined {
  if (isDeeperThan(details, MAX_DEPTH)) return `The details have more than ${MAX_DEPTH} levels`;
  const text = JSON.stringify(details);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FAILURE_DETAILS_BYTES)
    return `The details have ${bytes} bytes; at most ${MAX_FAILURE_DETAILS_BYTES} are kept`;
  return storageProblem(text);
}
