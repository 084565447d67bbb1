import { isJsonObject } from '../../../domain/json.ts';
import {
  ANY_STATE,
  type ObjectState,
  type StateSchema,
  type StateTransition,
} from '../../../domain/object/stateSchema.ts';

/** Returns the schema if the form can show it. The form keeps members that it does not know. */
export function readStates(schema: unknown): StateSchema | undefined {
  if (!isJsonObject(schema) || typeof schema.initial !== 'string') return undefined;
  const { states, transitions = [] } = schema;
  if (!isListOf(states, ['id']) || !isListOf(transitions, ['from', 'to'])) return undefined;
  return schema as unknown as StateSchema;
}

const isListOf = (value: unknown, texts: readonly string[]): boolean =>
  Array.isArray(value) && value.every((one) => isJsonObject(one) && texts.every((key) => typeof one[key] === 'string'));

/** Replaces the states. A state that has another id at its place keeps its moves. */
export function withStates(schema: StateSchema, states: readonly ObjectState[]): StateSchema {
  const isSameLength = states.length === schema.states.length;
  const renamed = new Map(
    isSameLength
      ? schema.states.flatMap(({ id }, index) => {
          const now = states[index]?.id ?? id;
          // Two rows that swap places are no renaming.
          return now === id || states.some((state) => state.id === id) ? [] : [[id, now]];
        })
      : [],
  );
  const of = (id: string) => renamed.get(id) ?? id;
  const ids = new Set([ANY_STATE, ...states.map(({ id }) => id)]);
  const transitions = schema.transitions
    ?.map((move) => ({ ...move, from: of(move.from), to: of(move.to) }))
    .filter(({ from, to }) => ids.has(from) && ids.has(to));
  const initial = of(schema.initial);
  return {
    ...schema,
    initial: ids.has(initial) ? initial : (states[0]?.id ?? ''),
    states,
    ...(transitions === undefined ? {} : { transitions }),
  };
}

/** Returns a move that the list lacks. */
export function freshMove({ states, transitions = [] }: StateSchema): StateTransition {
  const taken = new Set(transitions.map(({ from, to }) => `${from}>${to}`));
  const all = states.flatMap((from) => states.map((to) => ({ from: from.id, to: to.id })));
  const free = all.find(({ from, to }) => from !== to && !taken.has(`${from}>${to}`));
  return free ?? { from: ANY_STATE, to: states[0]?.id ?? '' };
}
