import type { JsonObject } from '../json.ts';
import { Problem } from '../problem.ts';
import { mergeAttributes, withoutNulls } from './attributes.ts';
import { firstState, requireAttributes } from './checkObject.ts';
import type { CompiledRules, ObjectReference } from './compiledRules.ts';
import type { ImportValues } from './importRow.ts';
import { lostReferences } from './lostReferences.ts';

/** As openapi.yaml says of the name of an entity. */
const LONGEST_NAME = 500;
/** The report on one row. */
const MOST_ERRORS = 20;

export interface ImportedObject {
  name: string;
  state: string | null;
  attributes: JsonObject;
  ownerId: string | null;
}

export interface RowError {
  /** The field of the problem; absent for the whole entity. */
  field?: string;
  message: string;
}

export type CheckedRow = { object: ImportedObject } | { errors: RowError[] };

/** Whether a reference that a row makes leads somewhere; ids are in lower case. */
export type Exists = (reference: Pick<ObjectReference, 'slug' | 'id'>) => boolean;

/** The effect of a row on an existing entity, or its new entity. */
export function checkRow(
  rules: CompiledRules,
  values: ImportValues,
  present: ImportedObject | undefined,
  { maxBytes, exists, isMember }: { maxBytes: number; exists: Exists; isMember: (userId: string) => boolean },
): CheckedRow {
  const errors: RowError[] = [];
  const { name = present?.name, state: asked, ownerId = present?.ownerId ?? null } = values;
  if (typeof name !== 'string' || name.trim() === '') errors.push({ field: 'name', message: 'is required, as a text' });
  else if (name.length > LONGEST_NAME)
    errors.push({ field: 'name', message: `expected at most ${LONGEST_NAME} characters` });
  if (ownerId !== null && ownerId !== present?.ownerId && !(typeof ownerId === 'string' && isMember(ownerId))) {
    errors.push({ field: 'ownerId', message: 'expected the id of a user of the workspace' });
  }
  const attributes = present ? mergeAttributes(present.attributes, values.attributes) : withoutNulls(values.attributes);
  let state = present?.state ?? null;
  try {
    if (asked !== undefined && asked !== null && typeof asked !== 'string') {
      errors.push({ field: 'state', message: 'expected a text' });
    } else if (!present) state = firstState(rules, asked ?? undefined);
    else if (asked !== undefined && asked !== null && asked !== state) {
      errors.push({
        field: 'state',
        message: `is ${JSON.stringify(state)}: an import cannot change the state of an entity`,
      });
    }
    const references = requireAttributes(rules, { attributes, state }, maxBytes);
    const isOld = ({ attribute }: ObjectReference) => !Object.hasOwn(values.attributes, attribute);
    const lost = lostReferences(rules, attributes, references, (each) => isOld(each) || exists(each));
    for (const { path, slug } of lost) {
      errors.push({
        field: fieldOf(path),
        message: `expected the id of an entity of the type ${JSON.stringify(slug)}`,
      });
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const details = error.errors?.map(({ path, message }) => ({ field: fieldOf(path), message }));
    errors.push(...(details ?? [{ message: error.message }]));
  }
  if (errors.length > 0) return { errors: errors.slice(0, MOST_ERRORS) };
  return { object: { name: name as string, state, attributes, ownerId: ownerId as string | null } };
}

/** `attributes.items[0].sku` reads `items[0].sku`, and `attributes["unit price"]` reads `unit price`. */
function fieldOf(path: string): string {
  const [, quoted, rest = ''] = /^attributes\[("(?:[^"\\]|\\.)*")\](.*)$/s.exec(path) ?? [];
  return quoted === undefined ? path.replace(/^attributes\./, '') : `${JSON.parse(quoted)}${rest}`;
}
