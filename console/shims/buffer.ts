// Replaces Node's Buffer in the Worker of the rules: the part that expressions and the validator use, with equal results.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Map([...ALPHABET].map((digit, value) => [digit, value]));
DIGITS.set('-', 62).set('_', 63);

class Bytes extends Uint8Array {
  override toString(encoding: 'utf8' | 'base64' = 'utf8'): string {
    return encoding === 'base64' ? toBase64(this) : new TextDecoder().decode(this);
  }
}

export const BROWSER_BUFFER = {
  from(source: string | ArrayLike<number>, encoding: 'utf8' | 'base64' = 'utf8'): Bytes {
    if (typeof source !== 'string') return new Bytes(source);
    return new Bytes(encoding === 'base64' ? fromBase64(source) : new TextEncoder().encode(source));
  },

  byteLength(text: string): number {
    return new TextEncoder().encode(text).length;
  },

  compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
    const shared = Math.min(one.length, other.length);
    for (let at = 0; at < shared; at += 1) {
      const difference = (one[at] as number) - (other[at] as number);
      if (difference !== 0) return difference < 0 ? -1 : 1;
    }
    if (one.length === other.length) return 0;
    return one.length < other.length ? -1 : 1;
  },
};

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.subarray(at, at + 3);
    text += ALPHABET[first >> 2];
    text += ALPHABET[((first & 3) << 4) | ((second ?? 0) >> 4)];
    text += second === undefined ? '=' : ALPHABET[((second & 15) << 2) | ((third ?? 0) >> 6)];
    text += third === undefined ? '=' : ALPHABET[third & 63];
  }
  return text;
}

/** As Node reads it: both alphabets, and nothing behind the first `=`. */
function fromBase64(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const digit of text) {
    if (digit === '=') break;
    const value = DIGITS.get(digit);
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xfff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return bytes;
}
