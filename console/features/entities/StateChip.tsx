import { Chip } from '../../ui/Chip.tsx';
import type { ObjectType } from './queries.ts';
import { OBJECTS } from './words.ts';

/** Named colours and hex colours; no other text of a definition becomes a style. */
const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]+)$/i;

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
