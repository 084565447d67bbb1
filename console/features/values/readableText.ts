import type { components } from 'perdure-client';
import { numberText } from '../../ui/words/numbers.ts';
import { WORDS } from '../../ui/words/words.ts';

type Field = components['schemas']['Field'];

export function readableText(value: unknown, field?: Pick<Field, 'options'>): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? WORDS.form.yes : WORDS.form.no;
  if (Array.isArray(value)) return value.map((each) => readableText(each, field)).join(', ');
  const option = field?.options?.find((each) => each.value === value);
  if (option !== undefined) return option.label;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? WORDS.none);
}
