import { stringEnd } from './jsonDepth.ts';

/** Every integer with fewer digits is a double. */
const MAY_BE_INEXACT = /\d{16}/;
const MAX_DIGITS = 309;
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?[1-9]\d*$/;
const IS_KEY = /\s*:/y;

/** Quotes integers that a double cannot represent, which JSON.parse would change. Invalid JSON stays invalid. */
export function keepExactIntegers(text: string): string {
  if (!MAY_BE_INEXACT.test(text)) return text;
  let result = '';
  let copied = 0;
  QUOTE_OR_NUMBER.lastIndex = 0;
  for (let found = QUOTE_OR_NUMBER.exec(text); found; found = QUOTE_OR_NUMBER.exec(text)) {
    const { 0: token, index } = found;
    if (token === '"') QUOTE_OR_NUMBER.lastIndex = stringEnd(text, index + 1);
    else if (isInexact(token) && !isKey(text, index + token.length)) {
      result += `${text.slice(copied, index)}"${token}"`;
      copied = index + token.length;
    }
  }
  return result + text.slice(copied);
}

function isInexact(token: string): boolean {
  if (token.length < 16 || !INTEGER.test(token)) return false;
  return token.length > MAX_DIGITS + 1 || BigInt(token) !== exactly(Number(token));
}

function exactly(value: number): bigint | undefined {
  return Number.isFinite(value) ? BigInt(value) : undefined;
}

/** A number used as a key must remain a mistake. */
function isKey(text: string, end: number): boolean {
  IS_KEY.lastIndex = end;
  return IS_KEY.test(text);
}
