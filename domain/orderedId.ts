import { derivedId } from './derivedId.ts';

/** The number of ids that one base can order. */
export const ORDERED_IDS = 16_384;

/** The ids sort by `index` (RFC 9562, 6.2: a counter in the bits after the time), as their request had them. */
export function orderedId(baseId: string, index: number): string {
  if (index < 0 || index >= ORDERED_IDS) throw new RangeError(`expected an index below ${ORDERED_IDS}: ${index}`);
  const id = derivedId(baseId, `index ${index}`);
  const high = (0x7000 | (index >> 2)).toString(16);
  const low = ((Number.parseInt(id.slice(19, 21), 16) & 0x0f) | 0x80 | ((index & 3) << 4)).toString(16);
  return `${id.slice(0, 14)}${high}-${low}${id.slice(21)}`;
}
