import type { Viewer } from '../../../domain/access/viewer.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json } from '../../../domain/json.ts';
import type { ObjectChecks } from '../../../domain/object/compiledRules.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import type { Database } from '../../../prisma/client.ts';
import type { Item } from '../../../prisma/store/items.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { type ActionCall, type ActionResult, failed, stepOf, succeeded } from '../executor.ts';

export interface ObjectsSettings {
  database: Database;
  /** OBJECT_MAX_BYTES. */
  maxObjectBytes: number;
  evaluation: Evaluation;
}

export function checksOf({ maxObjectBytes, evaluation }: ObjectsSettings, { workspaceId }: Viewer): ObjectChecks {
  return { maxBytes: maxObjectBytes, check: evaluation.attributesCheck(workspaceId) };
}

export const SHOWN = { expansion: 'attributes' };

export function viewerOf({ origin }: ActionCall): Viewer & { kind: 'execution' } {
  return { kind: 'execution', ...stepOf(origin), permissions: new Set() };
}

/** If the rules of entities reject it, the step fails without a retry, which would be rejected too. */
export async function asResult(work: () => Promise<Json>): Promise<ActionResult> {
  try {
    return succeeded(await work());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failed(error.code, error.message, { retryable: error.retryAfter !== undefined });
  }
}

export function readShownObject(database: Database, viewer: Viewer, id: string): Promise<Item> {
  return readResource(database, viewer, OBJECT, id, { query: SHOWN });
}

export function requireId(member: string, text: string | undefined): void {
  if (text === undefined || isUuid(text)) return;
  throw new Problem('VALIDATION_FAILED', `${member}: expected an id, got ${JSON.stringify(text.slice(0, 60))}`);
}
