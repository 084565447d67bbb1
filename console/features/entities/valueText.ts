import { numberText } from '../../ui/words/numbers.ts';
import { WORDS } from '../../ui/words/words.ts';
import { OBJECTS } from './words.ts';

/** Whether a value is nested, so that it does not fit into a cell. */
export const hasParts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((each) => typeof each === 'object' && each !== null));

/** Formats an attribute for a cell: yes or no, lists with commas or as a count, other objects as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return WORDS.none;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? WORDS.form.yes : WORDS.form.no;
  if (Array.isArray(value)) return hasParts(value) ? OBJECTS.entries(value.length) : value.map(valueText).join(', ');
  return JSON.stringify(value);
}
