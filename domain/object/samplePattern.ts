import { pattern } from '../expression/functions/pattern.ts';

const USUAL = [...'aA0 -_.é日'];
/** Repetitions in a sample for `*`, `+` and open ranges. */
const FEW = 1;

/** Probably matches; the caller must check it. Undefined for unsupported patterns. */
export function samplePattern(source: string): string | undefined {
  const reader = new Reader(source);
  const text = reader.alternatives();
  return reader.atEnd && !reader.failed ? text : undefined;
}

class Reader {
  readonly #source: string;
  #at = 0;
  failed = false;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (!this.atEnd && !this.failed && !'|)'.includes(this.#peek())) text += this.#repeated(this.#one());
    return text;
  }

  #one(): string {
    const sign = this.#next();
    if (sign === '^' || sign === '$') return '';
    if (sign === '.') return 'a';
    if (sign === '[') return this.#class();
    if (sign === '(') return this.#group();
    if (sign === '\\') return this.#escape();
    if ('*+?{'.includes(sign)) this.failed = true;
    return sign;
  }

  #group(): string {
    if (this.#take('?:') || !this.#take('?')) {
      const text = this.alternatives();
      if (!this.#take(')')) this.failed = true;
      return text;
    }
    const name = /^(P?<\w+>|[a-zA-Z-]+:)/.exec(this.#rest());
    const flags = /^[a-zA-Z-]+\)/.exec(this.#rest());
    if (flags) {
      this.#at += flags[0].length;
      return '';
    }
    if (!name) {
      this.failed = true;
      return '';
    }
    this.#at += name[0].length;
    const text = this.alternatives();
    if (!this.#take(')')) this.failed = true;
    return text;
  }

  #escape(): string {
    const sign = this.#next();
    const named = sign === 'p' || sign === 'P' ? /^(\{\^?\w+\}|\w)/.exec(this.#rest()) : undefined;
    if (named) {
      this.#at += named[0].length;
      return this.#oneOf(`\\${sign}${named[0]}`);
    }
    const sample = ESCAPES[sign];
    if (sample !== undefined) return sample;
    // Escaped letters have a special meaning.
    if (/[a-z0-9]/i.test(sign)) this.failed = true;
    return sign;
  }

  #class(): string {
    const whole = /^\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/s.exec(this.#rest());
    if (!whole) {
      this.failed = true;
      return '';
    }
    this.#at += whole[0].length;
    return this.#oneOf(`[${whole[0]}`);
  }

  #oneOf(source: string): string {
    const tried = source.startsWith('[^') ? USUAL : [...source.slice(1), ...USUAL];
    const found = tried.find((each) => pattern(`(?s)^${source}$`).matches(each));
    if (found === undefined) this.failed = true;
    return found ?? '';
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }

  #repeated(text: string): string {
    let times = 1;
    const range = /^\{(\d+)(,\d*)?\}/.exec(this.#rest());
    if (range) {
      times = Number(range[1]);
      this.#at += range[0].length;
    } else if (this.#take('*') || this.#take('?')) times = 0;
    else if (this.#take('+')) times = FEW;
    else return text;
    this.#take('?');
    return text.repeat(Math.min(times, 1_000));
  }

  #peek(): string {
    return this.#source[this.#at] ?? '';
  }

  #next(): string {
    return this.#source[this.#at++] ?? '';
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  d: '0',
  w: 'a',
  s: ' ',
  D: 'a',
  S: 'a',
  W: '-',
  b: '',
  A: '',
  z: '',
  t: '\t',
  n: '\n',
};
