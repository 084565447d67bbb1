/**
 * Runs before the author's code: a seeded `Math.random`, `console`, and the original intrinsics for the host. Changed
 * globals affect only the author's own result, because the host receives only texts.
 */
export const GUEST_PRELUDE = `(function (emit, levels) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, defineProperty } = Reflect;
  const { slice } = String.prototype;
  const text = String;
  const GuestError = Error;
  const MAX_LENGTH = 8192;
  const cut = (value) => apply(slice, value, [0, MAX_LENGTH]);

  function shown(value) {
    try {
      if (typeof value === 'string') return cut(value);
      if (value instanceof GuestError) return cut(text(value.name) + ': ' + text(value.message));
      if (typeof value === 'object' && value !== null) return cut(stringify(value) ?? '[object]');
      return cut(typeof value === 'bigint' ? text(value) + 'n' : text(value));
    } catch {
      return '[a value that cannot be shown]';
    }
  }

  const console = {};
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i];
    const say = (...values) => {
      let line = '';
      for (let k = 0; k < values.length && line.length < MAX_LENGTH; k++) line += (k === 0 ? '' : ' ') + shown(values[k]);
      emit(level, stringify(cut(line)));
    };
    defineProperty(console, level, { value: say, writable: true, configurable: true, enumerable: true });
  }
  defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true, enumerable: false });

  // sfc32
  let a = 0, b = 0, c = 0, d = 0;
  function random() {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }
  defineProperty(Math, 'random', { value: random, writable: true, configurable: true, enumerable: false });

  return {
    seed(s0, s1, s2, s3) {
      a = s0 | 0; b = s1 | 0; c = s2 | 0; d = s3 | 0;
      for (let i = 0; i < 15; i++) random();
    },
    read: (json) => parse(json),
    write(value) {
      if (value === undefined) return 'null';
      const json = stringify(value);
      if (json === undefined) throw new TypeError('a ' + typeof value + ' is not JSON');
      return json;
    },
    describe(thrown) {
      let stack = '';
      try {
        if (typeof thrown === 'object' && thrown !== null && typeof thrown.stack === 'string') stack = cut(thrown.stack);
      } catch {}
      return stringify([shown(thrown), stack]);
    },
  };
})`;
