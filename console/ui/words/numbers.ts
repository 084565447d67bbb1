import { counted } from './counted.ts';

/** Ungrouped, since it may be an order number or a year. 15 digits, without rounding errors (`59.699999999999996`). */
export const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));

/** Formats `1.20 EUR` or `0.00098 USD`: two decimals, or the first two significant digits. */
export function moneyText(amount: string, currency: string): string {
  const number = Number(amount);
  const isSmall = number !== 0 && Math.abs(number) < 0.01;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${number.toLocaleString('en', digits)} ${currency}`;
}

/** Formats a wait, rounded up: `42 seconds`, `15 minutes`. */
export function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? counted(seconds, 'second', 'seconds') : counted(Math.ceil(seconds / 60), 'minute', 'minutes');
}
