import type { Json, JsonObject } from '../json.ts';
import { Problem } from '../problem.ts';
import { mergeAttributes, withoutNulls } from './attributes.ts';
import { firstState, requireAttributes } from './checkObject.ts';
import type { CompiledRules, ObjectChecks, ObjectReference } from './compiledRules.ts';
import type { ImportValues } from './importRow.ts';
import { lostReferences } from './lostReferences.ts';

const MAX_NAME_LENGTH = 500;
const MAX_ERRORS = 20;

export interface ImportedObject {
  name: string;
  state: string | null;
  attributes: JsonObject;
  ownerId: string | null;
}

export interface RowError {
  field?: string;
  message: string;
}

export type CheckedRow = { object: ImportedObject } | { errors: RowError[] };

export type Exists = (reference: Pick<ObjectReference, 'slug' | 'id'>) => boolean;

export async function checkRow(
  rules: CompiledRules,
  values: ImportValues,
  present: ImportedObject | undefined,
  { checks, exists, isMember }: { checks: ObjectChecks; exists: Exists; isMember: (userId: string) => boolean },
): Promise<CheckedRow> {
  const { name = present?.name, ownerId = present?.ownerId ?? null } = values;
  const attributes = present ? mergeAttributes(present.attributes, values.attributes) : withoutNulls(values.attributes);
  const isNewOwner = ownerId !== null && ownerId !== present?.ownerId;
  const errors = [...nameErrors(name), ...(isNewOwner ? ownerErrors(ownerId, isMember) : [])];
  let state: string | null = null;
  try {
    state = stateAfter(rules, values.state ?? undefined, present, errors);
    const references = await requireAttributes(rules, { attributes, state }, checks);
    const isOld = ({ attribute }: ObjectReference) => !Object.hasOwn(values.attributes, attribute);
    const exist = (each: ObjectReference) => isOld(each) || exists(each);
    const lost = await lostReferences(checks.check, rules, attributes, references, exist);
    for (const { path, slug } of lost) {
      const message = `expected the id of an entity of the type ${JSON.stringify(slug)}`;
      errors.push({ field: fieldOf(path), message });
    }
  } catch (error) {
    // Waiting for a thread is not an error of the row.
    if (!(error instanceof Problem) || error.retryAfter !== undefined) throw error;
    const details = error.errors?.map(({ path, message }) => ({ field: fieldOf(path), message }));
    errors.push(...(details ?? [{ message: error.message }]));
  }
  if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS) };
  return { object: { name: name as string, state, attributes, ownerId: ownerId as string | null } };
}

function nameErrors(name: Json | undefined): RowError[] {
  if (typeof name !== 'string' || name.trim() === '') return [{ field: 'name', message: 'is required, as a text' }];
  // Counts code points like the contract, not UTF-16 units.
  if ([...name].length <= MAX_NAME_LENGTH) return [];
  return [{ field: 'name', message: `expected at most ${MAX_NAME_LENGTH} characters` }];
}

function ownerErrors(ownerId: Json, isMember: (userId: string) => boolean): RowError[] {
  if (typeof ownerId === 'string' && isMember(ownerId)) return [];
  return [{ field: 'ownerId', message: 'expected the id of a user of the workspace' }];
}

function stateAfter(
  rules: CompiledRules,
  asked: Json | undefined,
  present: ImportedObject | undefined,
  errors: RowError[],
): string | null {
  const add = (message: string) => errors.push({ field: 'state', message });
  const state = present?.state ?? null;
  if (asked !== undefined && typeof asked !== 'string') {
    add('expected a text');
    return state;
  }
  if (!present) return firstState(rules, asked);
  if (asked !== undefined && asked !== state) {
    add(`is ${JSON.stringify(state)}: an import cannot change the state of an entity`);
  }
  return state;
}

function fieldOf(path: string): string {
  const [, quoted, rest = ''] = /^attributes\[("(?:[^"\\]|\\.)*")\](.*)$/s.exec(path) ?? [];
  return quoted === undefined ? path.replace(/^attributes\./, '') : `${JSON.parse(quoted)}${rest}`;
}
