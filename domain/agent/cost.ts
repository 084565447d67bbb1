/** Prices per million tokens, as decimals such as `0.4`. */
export interface ModelPrice {
  input: string;
  /** For input in the provider's cache; default: the price of other input. */
  cachedInput?: string | undefined;
  output: string;
}

export interface ModelPrices {
  /** ISO 4217. */
  currency: string;
  models: Readonly<Record<string, ModelPrice>>;
}

export interface Cost {
  /** An exact decimal: `0.000124`. */
  amount: string;
  currency: string;
}

export const PRICE_DECIMALS = 9;
export const PRICE = new RegExp(`^\\d{1,9}(\\.\\d{1,${PRICE_DECIMALS}})?$`);
/** A price's decimals and six more for the million. */
const DECIMALS = PRICE_DECIMALS + 6;

interface Tokens {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

/** `output` includes reasoning, and `input` includes cached input. */
export function costOf(tokens: Tokens, { input, cachedInput = input, output }: ModelPrice, currency: string): Cost {
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
  const amount =
    BigInt(tokens.inputTokens - cached) * units(input, PRICE_DECIMALS) +
    BigInt(cached) * units(cachedInput, PRICE_DECIMALS) +
    BigInt(tokens.outputTokens) * units(output, PRICE_DECIMALS);
  return { amount: decimal(amount), currency };
}

/** Returns undefined if the currencies differ. */
export function addCosts(one: Cost, other: Cost): Cost | undefined {
  if (one.currency !== other.currency) return undefined;
  return { amount: decimal(units(one.amount, DECIMALS) + units(other.amount, DECIMALS)), currency: one.currency };
}

function units(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function decimal(amount: bigint): string {
  const digits = amount.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
