import { numberText } from '../../ui/words/numberText.ts';
import { WORDS } from '../../ui/words/words.ts';
import { OBJECTS } from './words.ts';

/** Whether a value has parts: a cell has no place for them. */
export const hasParts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((each) => typeof each === 'object' && each !== null));

/** An attribute in words for a cell: texts as they are, yes and no, lists with commas or as a number, the rest as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return WORDS.none;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? WORDS.form.yes : WORDS.form.no;
  if (Array.isArray(value)) return hasParts(value) ? OBJECTS.entries(value.length) : value.map(valueText).join(', ');
  return JSON.stringify(value);
}
