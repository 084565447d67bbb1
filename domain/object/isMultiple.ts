/** Decides in decimal: 19.99 is a multiple of 0.01, although the binary fractions give 1998.9999999999998. */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [a, b] = [decimalOf(value), decimalOf(step)];
  const exponent = Math.min(a.exponent, b.exponent);
  const unitsOf = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return unitsOf(a) % unitsOf(b) === 0n;
}

/** `digits` × 10^`exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Parses the shortest text of the number, which is also its JSON. */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
