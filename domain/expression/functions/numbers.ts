import { integerAt, numberAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';

/** Rounds half away from zero in decimal: round(1.005, 2) is 1.01. */
function round(args: readonly unknown[]): number {
  const value = numberAt(args, 0);
  const digits = args.length > 1 ? integerAt(args, 1) : 0;
  if (digits < -20 || digits > 20) throw new Error('the second argument must be from -20 to 20');
  if (!Number.isFinite(value)) return value;
  // The shortest decimal text is what people mean by a number, and shifting its exponent is exact.
  const rounded = shift(Math.round(shift(Math.abs(value), digits)), -digits);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

function shift(value: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

const one = { least: 1, most: 1, returns: 'dyn' } as const;

export const NUMBER_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'round',
    signature: 'round(number, digits?) → number',
    doc: 'To that many decimal digits (default 0), half away from zero.',
    least: 1,
    most: 2,
    returns: 'dyn',
    call: round,
  },
  {
    name: 'floor',
    signature: 'floor(number) → number',
    doc: 'The greatest whole number not above it.',
    ...one,
    call: (args) => Math.floor(numberAt(args, 0)) + 0,
  },
  {
    name: 'ceil',
    signature: 'ceil(number) → number',
    doc: 'The least whole number not below it.',
    ...one,
    call: (args) => Math.ceil(numberAt(args, 0)) + 0,
  },
  {
    name: 'abs',
    signature: 'abs(number) → number',
    doc: 'Without its sign.',
    ...one,
    call: (args) => Math.abs(numberAt(args, 0)),
  },
];
