import type { Json } from '../../domain/json.ts';
import type { CheckedAttributes } from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { inPath } from '../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import { dataRules } from '../../domain/queue/dataRules.ts';
import type { Database } from '../../prisma/client.ts';
import { dataSchemas } from '../../prisma/store/queue/dataSchemas.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { EventLoopYield } from '../fairness/eventLoopYield.ts';

const MAX_PROBLEMS = 100;

/** An item to write, at its place in the request. */
export interface PlacedData {
  path: string;
  /** Undefined if it does not change. */
  data: Json | undefined;
}

/** Returns the problems of items under the dataSchema of their queue; none if the queue has no dataSchema. */
export async function itemDataProblems(
  { database, evaluation }: { database: Database; evaluation: Evaluation },
  workspaceId: string,
  queueId: string,
  items: readonly PlacedData[],
): Promise<ProblemDetail[]> {
  if (items.every(({ data }) => data === undefined)) return [];
  const [stored] = await dataSchemas(database, workspaceId, [queueId]);
  if (!stored?.schema) return [];
  const rules = compiledType(queueId, stored.revision, dataRules(stored.schema));
  const check = evaluation.attributesCheck(workspaceId);
  const eventLoop = new EventLoopYield();
  const problems: ProblemDetail[] = [];
  for (const { path, data } of items) {
    if (data === undefined) continue;
    const errors = await errorsOf(async () => check(rules, { data }));
    problems.push(...errors.map((error) => ({ ...error, path: inPath(path, error.path) })));
    if (problems.length >= MAX_PROBLEMS) break;
    await eventLoop.takeIfDue();
  }
  return problems.slice(0, MAX_PROBLEMS);
}

/** Paths begin with `data`. Throws EXPRESSION_LIMIT. */
async function errorsOf(check: () => Promise<Pick<CheckedAttributes, 'errors'>>): Promise<ProblemDetail[]> {
  const inItem = (errors: readonly ProblemDetail[]) =>
    errors.map((each) => ({ ...each, path: each.path.replace(/^attributes\.?/, '') }));
  try {
    return inItem((await check()).errors);
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error;
    throw new Problem(error.code, error.message, { errors: inItem(error.errors) });
  }
}

/** Throws VALIDATION_FAILED with the places. */
export async function requireItemData(...parts: Parameters<typeof itemDataProblems>): Promise<void> {
  const errors = await itemDataProblems(...parts);
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', problemWords(errors), { errors });
}

export function problemWords(errors: readonly ProblemDetail[]): string {
  return errors
    .slice(0, 10)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ');
}
