import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import type { ActionCall } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildJavascript } from './javascript.ts';

const javascript = buildJavascript({
  maxCodeThreads: 2,
  maxCodeTimeoutMs: 30_000,
  maxCodeMemoryMb: 64,
  maxCodeConsoleBytes: 1_000,
  maxOutputBytes: 100_000,
});
type Call = Partial<Omit<ActionCall, 'inputs'>>;
const run = (code: string, inputs: JsonObject = {}, call: Call = {}) =>
  runExecutor(javascript, { code, memoryLimitMb: 16, ...inputs }, call);
const output = async (code: string, inputs: JsonObject = {}, call: Call = {}) => {
  const result = await run(code, { timeoutMs: 20_000, ...inputs }, call);
  if (!result.ok) throw new Error(result.failure.message);
  return result.output;
};
const SHORT = { timeoutMs: 100 };

describe('code.javascript', () => {
  it.each<[string, string, unknown]>([
    ['its input', 'return { got: input };', { got: { n: 1, list: ['a'] } }],
    ['what a promise gives', 'const a = await Promise.resolve(20); return a + await (async () => 22)();', 42],
    ['a promise', 'return new Promise((resolve) => resolve({ later: true }));', { later: true }],
    ['null for nothing', 'const a = 1;', null],
    ['null for NaN', 'return [NaN, Infinity];', [null, null]],
    ['dates as texts', 'return new Date(0);', '1970-01-01T00:00:00.000Z'],
    ['what a comment on the last line leaves', 'return 1 // one', 1],
    ['a text with every kind of character', 'return "ä€🙂\\u0001";', 'ä€🙂\u0001'],
  ])('gives %s', async (_, code, expected) => {
    expect(await output(code, { input: { n: 1, list: ['a'] } })).toEqual(expected);
  });

  it('returns any input unchanged', async () => {
    for (const input of [0, '', false, [], {}]) expect(await output('return input;', { input })).toEqual(input);
    expect(await output('return typeof input;')).toBe('undefined');
  });

  it.each<[string, string, string, RegExp]>([
    ['a syntax error', 'let a = 1;\nlet b = ;', 'CODE_SYNTAX_ERROR', /^SyntaxError: .*\(line 2\)$/],
    ['an error', '\n\nthrow new TypeError("no");', 'CODE_THREW', /^TypeError: no \(line 3\)$/],
    ['an error in a promise', 'await null;\nnull.x;', 'CODE_THREW', /^TypeError: .*\(line 2\)$/],
    ['a thrown value', 'throw { a: 1 };', 'CODE_THREW', /^\{"a":1\}$/],
    ['a name that is not there', 'return require("fs");', 'CODE_THREW', /'require' is not defined \(line 1\)/],
    ['a module', 'return await import("fs");', 'CODE_THREW', /could not load module/],
    ['a promise for ever', 'await new Promise(() => {});', 'CODE_NEVER_ENDS', /no timers/],
    ['a circle', 'const a = {}; a.a = a; return a;', 'CODE_RESULT_NOT_JSON', /circular/],
    ['a BigInt', 'return 1n;', 'CODE_RESULT_NOT_JSON', /BigInt/],
    ['a function', 'return () => 1;', 'CODE_RESULT_NOT_JSON', /a function is not JSON/],
    ['a getter that throws', 'return { get a() { throw new Error("g"); } };', 'CODE_RESULT_NOT_JSON', /Error: g/],
    ['an output that is too large', 'return "x".repeat(100_001);', 'OUTPUT_TOO_LARGE', /100000 bytes/],
    ['a recursion without end', 'const f = () => f() + 1; return f();', 'CODE_THREW', /stack overflow/],
    ['a text that nests too deep', 'return JSON.parse("[".repeat(1e5));', 'CODE_THREW', /stack overflow/],
    ['one large block', 'return new Uint8Array(1e9).length;', 'CODE_OUT_OF_MEMORY', /more than 16 MiB/],
    ['many small ones', 'const a = []; for (;;) a.push([a.length]);', 'CODE_OUT_OF_MEMORY', /more than 16 MiB/],
    ['long texts', 'let s = "ab"; for (;;) s = (s + s).split("").join("");', 'CODE_OUT_OF_MEMORY', /16 MiB/],
    ['source that nests too deep', 'return eval("(".repeat(1e5));', 'CODE_THREW', /stack overflow/],
  ])('fails for %s, and the next run works', async (_, code, failure, message) => {
    expect(await run(code, { timeoutMs: 20_000 })).toEqual({
      ok: false,
      failure: { code: failure, message: expect.stringMatching(message), retryable: false },
    });
    expect(await output('return 1 + 1;')).toBe(2);
  });

  it.each([
    ['a loop', 'for (;;);'],
    ['a loop of promises', 'for (;;) await null;'],
    ['a loop that is caught', 'try { for (;;); } catch { return 1; } finally { for (;;); }'],
    ['a loop beside', '(async () => { for (;;); })().catch(() => 1); return 1;'],
    ['a loop in toJSON', 'return { toJSON() { for (;;); } };'],
    ['a loop in a getter', 'return { get a() { for (;;); } };'],
    ['a loop in a proxy', 'return new Proxy({}, { ownKeys() { for (;;); } });'],
    [
      'a loop where an error is shown',
      'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e;',
    ],
    ['a loop outside of the function', '}); for (;;); (async () => {'],
    ['a pattern', 'return /(a+)+$/.test("a".repeat(60) + "b");'],
    ['a built-in that is not interrupted', 'const a = []; a.length = 4294967295; return a.sort();'],
  ])('ends %s in time, and the next run works', async (_, code) => {
    expect(await run(code, SHORT)).toEqual({
      ok: false,
      failure: { code: 'CODE_TIMEOUT', message: 'Not finished within 100 ms', retryable: true },
    });
    expect(await output('return 1 + 1;')).toBe(2);
  });

  it.each<[string, string, unknown]>([
    ['toJSON of everything', 'Object.prototype.toJSON = () => "hm"; return { a: 1 };', 'hm'],
    ['another JSON', 'JSON.stringify = () => "no"; JSON.parse = null; globalThis.JSON = 1; return { a: 1 };', { a: 1 }],
    ['broken lists', 'Array.prototype[Symbol.iterator] = null; Array.prototype.push = null; return [1];', [1]],
    ['a broken Promise', 'Promise.prototype.then = null; globalThis.Promise = null; return 1;', 1],
    ['constructors', 'return typeof console.log.constructor("return this")().process;', 'undefined'],
    [
      'a host that is not there',
      'return [typeof process, typeof fetch, typeof setTimeout, typeof std, typeof os];',
      Array(5).fill('undefined'),
    ],
    ['a proxy as result', 'return new Proxy([1], { get: (t, k) => t[k] });', [1]],
  ])('is not impressed by %s', async (_, code, expected) => {
    expect(await output(code)).toEqual(expected);
    expect(await output('return JSON.stringify([{ a: [1] }]) + [...[1]].length;')).toBe('[{"a":[1]}]1');
    expect(JSON.stringify({ a: 1 })).toBe('{"a":1}');
  });

  it('keeps __proto__ a key of the result and nothing more', async () => {
    const result = await output('return { ["__proto__"]: { polluted: true }, constructor: 1 };');
    expect(Object.keys(result as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('leaves nothing for the next run', async () => {
    await output('globalThis.left = 1; Object.prototype.left = 2; Array.prototype.map = null; return 1;');
    for (let i = 0; i < 3; i++) {
      expect(await output('return [typeof globalThis.left, typeof {}.left, typeof [].map];')).toEqual([
        'undefined',
        'undefined',
        'function',
      ]);
    }
  });

  it('gives the same random numbers in each attempt of a step, and different ones in another step', async () => {
    const code = 'return Array.from({ length: 5 }, Math.random);';
    const first = (await output(code, {}, { idempotencyKey: 'a', attempt: 1 })) as number[];
    expect(await output(code, {}, { idempotencyKey: 'a', attempt: 2 })).toEqual(first);
    expect(await output(code, {}, { idempotencyKey: 'b', attempt: 1 })).not.toEqual(first);
    expect(new Set(first).size).toBe(5);
    for (const number of first) expect(number >= 0 && number < 1).toBe(true);
  });

  it('has a constant clock, in UTC', async () => {
    const before = Date.now();
    const code =
      'const a = Date.now(); for (let i = 0; i < 1e5; i++); const d = new Date(2026, 6, 1, 12);' +
      'return { a, b: Date.now(), utc: d.toISOString(), offset: d.getTimezoneOffset(), hours: d.getHours() };';
    const clock = (await output(code)) as { a: number; b: number };
    expect(clock).toMatchObject({ b: clock.a, utc: '2026-07-01T12:00:00.000Z', offset: 0, hours: 12 });
    expect(clock.a >= before && clock.a <= Date.now()).toBe(true);
  });

  it('stores console lines up to a limit, also of a failed run', async () => {
    const logged = (code: string) => run(code, { timeoutMs: 20_000 }).then((result) => result.console);
    const values = 'console.log("a", 1, { b: [2] }, null, undefined, 3n); console.error(new TypeError("no"));';
    expect(await logged(`${values} console.debug(); throw 1;`)).toEqual([
      { level: 'log', text: 'a 1 {"b":[2]} null undefined 3n' },
      { level: 'error', text: 'TypeError: no' },
      { level: 'debug', text: '' },
    ]);
    expect(await logged('const a = {}; a.a = a; console.log(a, { toJSON() { throw 1; } });')).toEqual([
      { level: 'log', text: '[a value that cannot be shown] [a value that cannot be shown]' },
    ]);
    expect(await logged('return 1;')).toBeUndefined();
    const full = { level: 'warn', text: 'The console is full: later lines are dropped.' };
    expect(
      (await logged('console.log("x".repeat(900)); for (let i = 0; i < 9; i++) console.log("y".repeat(200));'))?.slice(
        1,
      ),
    ).toEqual([full]);
    expect((await logged('for (let i = 0; i < 5000; i++) console.log("");'))?.length).toBe(1_001);
    expect((await logged('console.log("x".repeat(1e6));'))?.at(-1)).toEqual(full);
  });

  it('can be stopped: while it runs, while a built-in runs, while it waits for a thread', async () => {
    const loops = [
      'for (;;);',
      'const a = []; a.length = 4294967295; return a.sort();',
      'for (;;) await 0;',
      'return 1;',
    ];
    const runs = loops.map((code) => {
      const stop = new AbortController();
      const ended = run(code, { timeoutMs: 30_000 }, { signal: stop.signal }).then(
        () => 'ended',
        (reason) => reason,
      );
      return { stop, ended };
    });
    for (const [index, { stop }] of runs.entries()) if (index < 3) stop.abort(`stopped ${index}`);
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual(['stopped 0', 'stopped 1', 'stopped 2', 'ended']);
    await expect(run('return 1;', {}, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  });

  it('runs in parallel, and waits if no thread is free', async () => {
    const results = Array.from({ length: 6 }, (_, index) => output('return input * 2;', { input: index }));
    expect(await Promise.all(results)).toEqual([0, 2, 4, 6, 8, 10]);
  });

  it('serves a workspace while many calls of another wait', async () => {
    const order: string[] = [];
    const as = (workspaceId: string, code: string) =>
      output(code, {}, { origin: { workspaceId, executionId: 'e' } }).then(() => order.push(workspaceId));
    const many = Array.from({ length: 8 }, () => as('many', 'let n = 0; while (n < 3e6) n++; return n;'));
    await Promise.all([as('one', 'return 1;'), ...many]);
    expect(order).toHaveLength(9);
    // At most the two runs before it, and one that started in parallel.
    expect(order.indexOf('one')).toBeLessThan(4);
  });

  it.each([
    [{ code: '' }, 'code: expected at least 1 characters'],
    [{ timeoutMs: 0 }, 'timeoutMs: expected at least 1'],
    [{ timeoutMs: 30_001 }, 'timeoutMs: expected at most 30000'],
    [{ timeoutMs: 1.5 }, 'timeoutMs: expected a whole number'],
    [{ memoryLimitMb: 65 }, 'memoryLimitMb: expected at most 64'],
    [{ memoryLimitMb: 1 }, 'memoryLimitMb: expected at least 4'],
  ])('refuses %j', async (inputs, message) => {
    expect(await run('return 1;', inputs)).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT', message } });
  });
});
