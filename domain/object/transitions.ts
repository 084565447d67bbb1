import type { JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { Problem } from '../problem.ts';
import { missingFields } from './attributes.ts';
import { ANY_STATE, requiredFieldsOf, type StateSchema, stateOf } from './stateSchema.ts';

export interface AllowedMove {
  to: string;
  name: string;
  requiresReason: boolean;
}

/**
 * A transition from the state itself has priority over one from any. Without a state, the initial one is allowed too.
 */
export function movesFrom(schema: StateSchema, current: string | null): AllowedMove[] {
  const { transitions } = schema;
  const nameOf = (id: string) => stateOf(schema, id)?.name ?? id;
  const moves = new Map<string, AllowedMove>();
  const add = (to: string, name = nameOf(to), requiresReason = false) => {
    if (!moves.has(to)) moves.set(to, { to, name, requiresReason });
  };
  if (transitions) {
    for (const { from, to, name, requiresReason } of transitions) {
      if (from === current) add(to, name, requiresReason);
    }
    for (const { from, to, name, requiresReason } of transitions) {
      if (from === ANY_STATE && to !== current) add(to, name, requiresReason);
    }
    if (current === null) add(schema.initial);
  } else {
    for (const { id } of schema.states) if (id !== current) add(id);
  }
  return [...moves.values()];
}

export interface ObjectInState {
  state: string | null;
  attributes: JsonObject;
}

export interface Move {
  to: string;
  reason: string | null;
}

/** Throws INVALID_TRANSITION, REASON_REQUIRED or MISSING_FIELDS, in this order, if the move is not allowed. */
export function requireMove(
  schema: StateSchema | null,
  { state, attributes }: ObjectInState,
  { to, reason }: Move,
): void {
  if (!schema) throw invalid(to, 'its type has no states');
  const moves = movesFrom(schema, state);
  const move = moves.find((each) => each.to === to);
  if (!move) {
    const known = stateOf(schema, to) ? '' : `${JSON.stringify(to)} is not a state of its type; `;
    const allowed = moves.length > 0 ? moves.map((each) => JSON.stringify(each.to)).join(', ') : 'nowhere';
    throw invalid(to, `${known}from ${state === null ? 'no state' : JSON.stringify(state)} it may move to ${allowed}`);
  }
  if (move.requiresReason && (reason === null || reason.trim() === '')) {
    throw new Problem('REASON_REQUIRED', `The move to ${JSON.stringify(to)} needs a reason`, {
      errors: [{ path: 'reason', message: 'is required for this move' }],
    });
  }
  requireFields(schema, to, attributes);
}

export function requireFields(schema: StateSchema | null, state: string | null, attributes: JsonObject): void {
  const missing = missingFields(attributes, requiredFieldsOf(schema, state));
  if (missing.length === 0) return;
  throw new Problem('MISSING_FIELDS', `The state ${JSON.stringify(state)} requires ${missing.join(', ')}`, {
    errors: missing.map((name) => ({
      path: pathTo('attributes', name),
      message: `is required in the state ${JSON.stringify(state)}`,
    })),
  });
}

function invalid(to: string, why: string): Problem {
  return new Problem('INVALID_TRANSITION', `The entity cannot move to ${JSON.stringify(to)}: ${why}`, {
    errors: [{ path: 'state', message: why }],
  });
}
