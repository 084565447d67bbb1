/**
 * Whether a number is a multiple of a step above 0, as both are written: 19.99 is one of 0.01, which a division of binary
 * fractions denies (1998.9999999999998).
 */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [a, b] = [decimalOf(value), decimalOf(step)];
  const exponent = Math.min(a.exponent, b.exponent);
  const unitsOf = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return unitsOf(a) % unitsOf(b) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Of the shortest text that is this number, which is how JSON shows it. */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
