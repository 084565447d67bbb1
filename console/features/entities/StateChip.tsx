import { Chip } from '../../ui/Chip.tsx';
import type { ObjectType } from './queries.ts';
import { OBJECTS } from './words.ts';

/** Colours that browsers know by name or by digits; nothing else of a definition becomes style. */
const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]+)$/i;

/** A state as its type names it, with a dot of its colour. */
export function StateChip({ type, state }: { type: ObjectType | undefined; state: string | null }) {
  if (state === null) return OBJECTS.stateless;
  const found = type?.stateSchema?.states.find(({ id }) => id === state);
  const colour = found?.color;
  return (
    <Chip tone="neutral">
      {colour !== undefined && COLOUR.test(colour) && (
        <span className="object-dot" style={{ background: colour }} aria-hidden />
      )}
      {found?.name ?? state}
    </Chip>
  );
}

export const stateName = (type: ObjectType | undefined, state: string): string =>
  type?.stateSchema?.states.find(({ id }) => id === state)?.name ?? state;
