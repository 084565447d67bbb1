import type { JsonObject } from '../../domain/json.ts';
import { missingFields } from '../../domain/object/attributes.ts';
import {
  type AttributesCheck,
  type CheckedAttributes,
  type CompiledRules,
  compileRules,
  type ObjectReference,
} from '../../domain/object/compiledRules.ts';
import { lostReferences } from '../../domain/object/lostReferences.ts';
import type { ObjectRules } from '../../domain/object/rules.ts';
import { requiredFieldsOf, stateOf } from '../../domain/object/stateSchema.ts';
import { inPath, pathTo } from '../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { findReferences } from '../../prisma/store/object/findReferences.ts';
import { type BatchObject, countByState, objectBatches } from '../../prisma/store/object/objectBatches.ts';
import { EventLoopYield } from '../fairness/eventLoopYield.ts';

/** Maximum reported problems; the count is always complete. */
const MAX_REPORTED = 100;

export interface Misfits {
  count: number;
  errors: ProblemDetail[];
}

/** Works in batches, which block neither memory nor the embedded database. `proceed` may throw to stop. */
export async function checkExisting(
  database: Database,
  workspaceId: string,
  type: { id: string; rules: ObjectRules },
  { rules, check }: { rules: ObjectRules; check: AttributesCheck },
  proceed: () => Promise<void>,
): Promise<Misfits> {
  const errors: ProblemDetail[] = [];
  let count = 0;
  for (const { state, count: inUse } of await countByState(database, workspaceId, type.id)) {
    if (rules.stateSchema && stateOf(rules.stateSchema, state)) continue;
    count += inUse;
    errors.push({ path: 'stateSchema.states', message: `${JSON.stringify(state)} is in use by ${inUse} entities` });
  }
  if (count > 0) return { count, errors: errors.slice(0, MAX_REPORTED) };
  const compiled = compileRules(rules);
  const present = compileRules(type.rules);
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.object_type_id = ${type.id}::uuid AND t.deleted_at IS NULL`;
  for await (const batch of objectBatches(database, where)) {
    const checked = await checkedBatch(check, compiled, batch);
    const ids = checked.flatMap(({ references }) => references.map(({ id }) => id));
    const found = await findReferences(database, workspaceId, ids, []);
    for (const { object, errors: wrong, unknown, references } of checked) {
      const lost = await lostReferences(check, compiled, object.attributes, references, found.hasObject);
      // The target of a reference may be deleted; new rules do not make that worse.
      const known = lost.length > 0 ? (await check(present, object.attributes)).references.map(placeOf) : [];
      const details = [
        ...wrong,
        ...unknown.map((name) => ({
          path: pathTo('attributes', name),
          message: 'would not be an attribute of the type',
        })),
        ...lost
          .filter((each) => !known.includes(placeOf(each)))
          .map(({ path, slug }) => ({ path, message: `is not an entity of the type ${JSON.stringify(slug)}` })),
        ...withoutRequired(rules, object),
      ];
      if (details.length === 0) continue;
      count++;
      if (errors.length >= MAX_REPORTED) continue;
      errors.push(
        ...details.map(({ path, message }) => ({ path: inPath(pathTo('objects', object.id), path), message })),
      );
    }
    await proceed();
  }
  return { count, errors: errors.slice(0, MAX_REPORTED) };
}

async function checkedBatch(
  check: AttributesCheck,
  rules: CompiledRules,
  batch: readonly BatchObject[],
): Promise<(CheckedAttributes & { object: BatchObject })[]> {
  const eventLoop = new EventLoopYield();
  const checked: (CheckedAttributes & { object: BatchObject })[] = [];
  for (const object of batch) {
    await eventLoop.takeIfDue();
    checked.push({ object, ...(await checkedWithin(check, rules, object.attributes)) });
  }
  return checked;
}

/** Treats an entity whose check takes too long as a misfit. */
async function checkedWithin(
  check: AttributesCheck,
  rules: CompiledRules,
  attributes: JsonObject,
): Promise<CheckedAttributes> {
  try {
    return await check(rules, attributes);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'EXPRESSION_LIMIT') throw error;
    return { errors: error.errors ?? [], unknown: [], references: [] };
  }
}

function placeOf({ path, slug }: ObjectReference): string {
  return `${slug} ${path}`;
}

function withoutRequired(rules: ObjectRules, { state, attributes }: BatchObject): ProblemDetail[] {
  return missingFields(attributes, requiredFieldsOf(rules.stateSchema, state)).map((name) => ({
    path: pathTo('attributes', name),
    message: `would be required in the state ${JSON.stringify(state)}`,
  }));
}
