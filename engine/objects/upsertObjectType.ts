import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { AttributesCheck } from '../../domain/object/compiledRules.ts';
import type { RulesCheck } from '../../domain/object/ruleProblems.ts';
import type { ObjectRules } from '../../domain/object/rules.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { readStoredType, type StoredType, type TypeMembers } from '../../prisma/store/objectType/storedType.ts';
import {
  applyRules,
  dropRules,
  insertType,
  publishRules,
  renewChange,
  type TypeChanges,
  updateType,
} from '../../prisma/store/objectType/writeType.ts';
import { type Expected, STALE } from '../../prisma/store/rowTag.ts';
import { checkExisting } from './checkExisting.ts';
import { requireRules } from './requireRules.ts';
import { retryOnConflict } from './retryOnConflict.ts';

/** Absent members stay unchanged. Defaults of a new type, in order: the slug, null, true, null, null, false. */
export interface TypeUpsert {
  slug: string;
  name?: string | undefined;
  description?: string | null | undefined;
  isEnabled?: boolean | undefined;
  managedByCode: boolean;
  attributeSchema?: ObjectRules['attributeSchema'] | undefined;
  stateSchema?: ObjectRules['stateSchema'] | undefined;
  allowUnknownAttributes?: boolean | undefined;
}

export interface UpsertContext {
  database: Database;
  workspaceId: string;
  newId: string;
  createdByUserId: string | null;
  problemsOf: RulesCheck;
  check: AttributesCheck;
  dryRun: boolean;
  /** Tags that the type must have if this changes it: otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

export interface UpsertedType {
  /** Null: a dry run of a type that does not exist yet. */
  id: string | null;
  name: string;
  created: boolean;
}

const WAITS = 40;
const WAIT_MS = 50;
/** Interval at which a check of the existing entities renews its announcement. */
const RENEW_AFTER_MS = 15_000;

/**
 * Creates or changes the type with the slug. Rules change only if all entities fit: the new rules are announced, after
 * running writes; later writes must fit both; the existing entities are checked; then the new rules apply. Throws
 * CONFLICT with the entities that do not fit.
 */
export async function upsertObjectType(context: UpsertContext, upsert: TypeUpsert): Promise<UpsertedType> {
  const { database, workspaceId, problemsOf } = context;
  let waits = 0;
  return retryOnConflict('entity type', async () => {
    const stored = await readStoredType(database, workspaceId, upsert.slug);
    const wanted = membersOf(upsert, stored);
    const hasOtherRules = !stored || !isEqualJson(stored.rules, wanted.rules);
    requireExpected(context.expected, stored, wanted);
    if (hasOtherRules) await requireRules(wanted.rules, problemsOf);
    if (!stored) return create(context, upsert.slug, wanted);
    const upserted = { id: stored.id, name: wanted.name, created: stored.id === context.newId };
    if (!hasOtherRules) return (await changeMembers(context, stored, wanted)) ? upserted : undefined;
    if (context.dryRun) {
      await requireFits(context, stored, wanted.rules, async () => {});
      return upserted;
    }
    if (stored.isChanging) {
      if (++waits > WAITS) throw new Problem('CONFLICT', 'The entity type is being changed', { retryAfter: 1 });
      await pause(WAIT_MS);
      return undefined;
    }
    return (await changeRules(context, stored, wanted)) ? upserted : undefined;
  });
}

/** Accepts an equal type of any author, because there is nothing to write. */
function requireExpected(expected: Expected | undefined, stored: StoredType | undefined, wanted: TypeMembers): void {
  if (expected === undefined || (stored && (expected === 'any' || expected.includes(stored.tag)))) return;
  const isEqualTo =
    stored && isEqualJson(stored.rules, wanted.rules) && Object.keys(changesOf(stored, wanted)).length === 0;
  if (isEqualTo) return;
  throw new Problem('PRECONDITION_FAILED', STALE);
}

async function create(context: UpsertContext, slug: string, wanted: TypeMembers): Promise<UpsertedType | undefined> {
  const { database, workspaceId, newId, createdByUserId, dryRun } = context;
  if (dryRun) return { id: null, name: wanted.name, created: true };
  await insertType(database, workspaceId, { ...wanted, id: newId, slug, createdByUserId });
  const stored = await readStoredType(database, workspaceId, slug);
  return stored?.id === newId ? { id: newId, name: stored.name, created: true } : undefined;
}

/** Returns false after a concurrent change of the type. */
async function changeMembers(
  { database, dryRun }: UpsertContext,
  stored: StoredType,
  wanted: TypeMembers,
): Promise<boolean> {
  const changes = changesOf(stored, wanted);
  return dryRun || Object.keys(changes).length === 0 || updateType(database, stored, changes);
}

async function changeRules(context: UpsertContext, stored: StoredType, wanted: TypeMembers): Promise<boolean> {
  const { database } = context;
  const changeId = v7();
  if (!(await publishRules(database, stored, changeId, wanted.rules))) return false;
  let renewedAt = Date.now();
  try {
    await requireFits(context, stored, wanted.rules, async () => {
      if (Date.now() - renewedAt < RENEW_AFTER_MS) return;
      renewedAt = Date.now();
      if (await renewChange(database, stored.id, changeId)) return;
      throw new Problem('CONFLICT', 'Checking the existing entities took too long; try again', { retryAfter: 1 });
    });
  } catch (error) {
    await dropRules(database, stored.id, changeId);
    throw error;
  }
  return applyRules(database, stored.id, changeId, wanted.rules, changesOf(stored, wanted));
}

async function requireFits(
  { database, workspaceId, check }: UpsertContext,
  stored: StoredType,
  rules: ObjectRules,
  proceed: () => Promise<void>,
): Promise<void> {
  const { count, errors } = await checkExisting(database, workspaceId, stored, { rules, check }, proceed);
  if (count === 0) return;
  const entities = count === 1 ? 'One entity' : `${count} entities`;
  throw new Problem('CONFLICT', `${entities} of the type would not fit: change them first`, { errors });
}

function membersOf(upsert: TypeUpsert, stored: StoredType | undefined): TypeMembers {
  const { name, description, isEnabled, managedByCode, attributeSchema, stateSchema, allowUnknownAttributes } = upsert;
  const rules = stored?.rules;
  return {
    name: name ?? stored?.name ?? upsert.slug,
    description: description === undefined ? (stored?.description ?? null) : description,
    isEnabled: isEnabled ?? stored?.isEnabled ?? true,
    managedByCode,
    rules: {
      attributeSchema: attributeSchema === undefined ? (rules?.attributeSchema ?? null) : attributeSchema,
      stateSchema: stateSchema === undefined ? (rules?.stateSchema ?? null) : stateSchema,
      allowUnknownAttributes: allowUnknownAttributes ?? rules?.allowUnknownAttributes ?? false,
    },
  };
}

/** Returns only changed members: a concurrent upsert may set the rest. */
function changesOf(stored: TypeMembers, wanted: TypeMembers): TypeChanges {
  return {
    ...(wanted.name === stored.name ? {} : { name: wanted.name }),
    ...(wanted.description === stored.description ? {} : { description: wanted.description }),
    ...(wanted.isEnabled === stored.isEnabled ? {} : { isEnabled: wanted.isEnabled }),
    ...(wanted.managedByCode === stored.managedByCode ? {} : { managedByCode: wanted.managedByCode }),
  };
}
