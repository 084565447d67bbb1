import type { ProblemDetail } from '../problem.ts';

export const ANY_STATE = '*';

export interface ObjectState {
  id: string;
  name?: string;
  requiredFields?: readonly string[];
  final?: boolean;
  color?: string;
}

export interface StateTransition {
  id?: string;
  name?: string;
  from: string;
  to: string;
  requiresReason?: boolean;
}

/**
 *   (none) ──initial──► a ──transition──► b
 *                       └───────'*'───────► c     without transitions, every state leads to every other
 */
export interface StateSchema {
  initial: string;
  states: readonly ObjectState[];
  /** Absent: every move is allowed. */
  transitions?: readonly StateTransition[];
}

export function stateOf(schema: StateSchema, id: string): ObjectState | undefined {
  return schema.states.find((state) => state.id === id);
}

export function requiredFieldsOf(schema: StateSchema | null, id: string | null): readonly string[] {
  return (id === null ? undefined : schema && stateOf(schema, id)?.requiredFields) ?? [];
}

/** `knows` returns true if an attribute can exist. */
export function stateSchemaProblems(schema: StateSchema, knows: (attribute: string) => boolean): ProblemDetail[] {
  const problems: ProblemDetail[] = [];
  const tell = (path: string, message: string) => problems.push({ path: `stateSchema.${path}`, message });
  const ids = new Set<string>();
  schema.states.forEach(({ id, requiredFields = [] }, index) => {
    if (ids.has(id)) tell(`states[${index}].id`, `${quote(id)} is used twice: expected a unique id for each state`);
    if (id === ANY_STATE)
      tell(`states[${index}].id`, `${quote(ANY_STATE)} is reserved: it means any state in transitions`);
    ids.add(id);
    requiredFields.forEach((field, at) => {
      if (knows(field)) return;
      tell(`states[${index}].requiredFields[${at}]`, `${quote(field)} is not an attribute of the schema`);
    });
  });
  const expected = `expected one of ${[...ids].map(quote).join(', ')}`;
  if (!ids.has(schema.initial)) tell('initial', `${quote(schema.initial)} is not a state: ${expected}`);
  const moves = new Set<string>();
  schema.transitions?.forEach(({ from, to }, index) => {
    if (from !== ANY_STATE && !ids.has(from)) {
      tell(`transitions[${index}].from`, `${quote(from)} is not a state: ${expected}, or "*"`);
    }
    if (!ids.has(to)) tell(`transitions[${index}].to`, `${quote(to)} is not a state: ${expected}`);
    const move = JSON.stringify([from, to]);
    if (moves.has(move)) tell(`transitions[${index}]`, `the move from ${quote(from)} to ${quote(to)} is listed twice`);
    moves.add(move);
  });
  return problems;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
