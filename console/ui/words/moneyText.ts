/** Formats `1.20 EUR` or `0.00098 USD`: two decimals, or the first two significant digits. */
export function moneyText(amount: string, currency: string): string {
  const number = Number(amount);
  const isSmall = number !== 0 && Math.abs(number) < 0.01;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${number.toLocaleString('en', digits)} ${currency}`;
}
