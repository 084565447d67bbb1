import { valueAt } from '../../../domain/fieldPath.ts';
import type { Json } from '../../../domain/json.ts';
import { canonicalText, compareKeys, type JsonOrderKey, orderKey } from '../jsonOrder.ts';

export const MEASURE_OPERATIONS = ['sum', 'average', 'min', 'max', 'count', 'countDistinct', 'first', 'last'] as const;
export type MeasureOperation = (typeof MEASURE_OPERATIONS)[number];

type Present = NonNullable<Json>;

export class UnfitValues extends Error {}

/** Ignores absent values and null. Without any other value the result is null (sum: 0). */
const MEASURES: Record<MeasureOperation, (values: Present[], numbers: () => number[]) => Json> = {
  sum: (_, numbers) => total(numbers()),
  average: (values, numbers) => (values.length === 0 ? null : total(numbers()) / values.length),
  min: (values) => furthest(values, -1),
  max: (values) => furthest(values, 1),
  count: (values) => values.length,
  countDistinct: (values) => new Set(values.map(canonicalText)).size,
  first: (values) => values[0] ?? null,
  last: (values) => values.at(-1) ?? null,
};

export function measure(operation: MeasureOperation, items: Json[], field: string): Json {
  const found = items.map((item) => valueAt(item, field));
  const values = found.filter((value): value is Present => value !== undefined && value !== null);
  const numbers = () => {
    const wrong = found.findIndex((value) => value !== undefined && value !== null && typeof value !== 'number');
    if (wrong >= 0) throw new UnfitValues(`items.${wrong}${field === '' ? '' : `.${field}`}: expected a number`);
    return values as number[];
  };
  return MEASURES[operation](values, numbers);
}

function furthest(values: Present[], direction: -1 | 1): Json {
  let best: { value: Present; key: JsonOrderKey } | undefined;
  for (const value of values) {
    const key = orderKey(value);
    if (best === undefined || compareKeys(key, best.key) * direction > 0) best = { value, key };
  }
  return best?.value ?? null;
}

/** Neumaier's summation: 0.1 + 0.2 + 0.3 is 0.6, and the total does not depend on the order. */
function total(numbers: number[]): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  if (!Number.isFinite(sum + lost)) throw new UnfitValues('items: expected numbers whose sum is within range');
  return sum + lost;
}
