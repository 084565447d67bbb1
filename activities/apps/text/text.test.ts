import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import type { Executor } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildJoin } from './join.ts';
import { parseJson, writeJson } from './json.ts';
import { buildMatch } from './match.ts';
import { parseCsv } from './parseCsv.ts';
import { buildReplace } from './replace.ts';
import { split } from './split.ts';
import { buildTemplate } from './template.ts';
import { writeCsv } from './writeCsv.ts';

const evaluation = new Evaluation({ timeoutMs: 1_000, threads: 2, maxResultBytes: 10_000_000 });
const [template, join, match, replace] = [buildTemplate, buildJoin, buildMatch, buildReplace].map((build) =>
  build({ evaluation }),
) as [Executor, Executor, Executor, Executor];

function examples(
  name: string,
  executor: Executor,
  rows: [JsonObject, Json | [code: string, message: RegExp]][],
): void {
  it.each(rows)(`${name} %j`, async (inputs, expected) => {
    const result = await runExecutor(executor, inputs);
    if (Array.isArray(expected) && expected[1] instanceof RegExp) {
      expect(result).toMatchObject({ ok: false, failure: { code: expected[0], retryable: false } });
      expect(result.ok ? '' : result.failure.message).toMatch(expected[1]);
    } else expect(result).toEqual({ ok: true, output: expected });
  });
}

const values = { name: 'Ada', n: 3, none: null, o: { list: ['x', { y: true }] } };

describe('text', () => {
  examples('template', template, [
    [{ template: 'Dear {name}, {n} of {o.list.0}', values }, 'Dear Ada, 3 of x'],
    [{ template: '{o.list} {none}|{o.list.1.y}', values }, '["x",{"y":true}] |true'],
    [{ template: '{"a": {name}} a{b:c} {} { name } \\{name}', values }, '{"a": Ada} a{b:c} {} { name } {name}'],
    [{ template: '{name}', values: { name: '$& {n}' } }, '$& {n}'],
    [{ template: '{a} {b} {a}', values }, ['INVALID_INPUT', /^values: the template names a, b, which are missing$/]],
    [{ template: '[{a}]', values, missing: 'empty' }, '[]'],
    [{ template: '[{a}]', values, missing: 'keep' }, '[{a}]'],
    [{ template: '{constructor}', values }, ['INVALID_INPUT', /constructor/]],
  ]);

  examples('split', split, [
    [{ text: 'a, b,,c' }, ['a', 'b', '', 'c']],
    [{ text: 'a, b,,c', dropEmpty: true }, ['a', 'b', 'c']],
    [{ text: ' a| b', separator: '|', trim: false }, [' a', ' b']],
    [{ text: 'a 😀', separator: '' }, ['a', ' ', '😀']],
    [{ text: '' }, ['']],
    [{ text: 3 }, ['INVALID_INPUT', /^text: expected text$/]],
  ]);

  examples('join', join, [
    [{ items: ['a', 1, null, { b: true }] }, 'a, 1, {"b":true}'],
    [{ items: ['a', 'b'], separator: '\n' }, 'a\nb'],
    [{ items: [] }, ''],
    [{ items: 'ab' }, ['INVALID_INPUT', /^items: expected a list$/]],
  ]);

  examples('match', match, [
    [
      { text: 'abc', pattern: 'x' },
      { matched: false, matches: [] },
    ],
    [
      { text: 'aXb', pattern: 'x', ignoreCase: true },
      { matched: true, matches: [{ text: 'X', index: 1, groups: [], named: {} }] },
    ],
    [
      { text: '1-2 3', pattern: '(?P<first>\\d)(-\\d)?', all: true },
      {
        matched: true,
        matches: [
          { text: '1-2', index: 0, groups: ['1', '-2'], named: { first: '1' } },
          { text: '3', index: 4, groups: ['3', null], named: { first: '3' } },
        ],
      },
    ],
    [
      { text: 'a\nb', pattern: '^b$', multiline: true },
      { matched: true, matches: [{ text: 'b', index: 2, groups: [], named: {} }] },
    ],
    [
      { text: 'a\nb', pattern: 'a.b' },
      { matched: false, matches: [] },
    ],
    [
      { text: 'a\nb', pattern: 'a.b', dotAll: true },
      { matched: true, matches: [{ text: 'a\nb', index: 0, groups: [], named: {} }] },
    ],
    [{ text: 'a', pattern: '(a' }, ['INVALID_PATTERN', /^pattern: missing closing \): `\(a`$/]],
    [{ text: 'a', pattern: 'a(?=b)' }, ['INVALID_PATTERN', /^pattern: invalid or unsupported Perl syntax/]],
    [{ text: 'a', pattern: '' }, ['INVALID_INPUT', /^pattern: expected at least 1 characters$/]],
  ]);

  examples('replace', replace, [
    [{ text: '21.11.2026', pattern: '(\\d+)\\.(\\d+)\\.(\\d+)', replacement: '$3-$2-$1' }, '2026-11-21'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax under test
    [{ text: 'a a', pattern: '(?P<x>a)', replacement: '[${x}$0$$$9${y}]' }, '[aa$$9${y}] [aa$$9${y}]'],
    [{ text: 'aaa', pattern: 'a', replacement: 'b', all: false }, 'baa'],
    [{ text: 'a.b.c', pattern: '.', replacement: '$&', literal: true }, 'a$&b$&c'],
    [{ text: 'A+a+', pattern: 'a+', replacement: '$1', literal: true, ignoreCase: true }, '$1$1'],
    [{ text: 'abc', pattern: 'b' }, 'ac'],
    [{ text: 'ab', pattern: 'x*', replacement: '-' }, '-a-b-'],
    [{ text: 'a', pattern: '[', replacement: '' }, ['INVALID_PATTERN', /missing closing \]/]],
  ]);

  /** Returns how long an executor blocks the caller's thread: the minimum of some tries. */
  async function heldBy(executor: Executor, inputs: JsonObject) {
    let heldMs = Number.POSITIVE_INFINITY;
    let result: unknown;
    for (let tries = 0; tries < 3 && heldMs > MAX_MS; tries += 1) {
      const startedAt = performance.now();
      const running = runExecutor(executor, inputs);
      heldMs = Math.min(heldMs, performance.now() - startedAt);
      result = await running;
    }
    return { heldMs, result };
  }
  const MAX_MS = 250;
  const LONG = 'a'.repeat(1_000_000);
  const limit = { ok: false, failure: { code: 'EXPRESSION_LIMIT', retryable: false } };
  const tooLarge = { ok: false, failure: { code: 'OUTPUT_TOO_LARGE', retryable: false } };

  it.each<[string, Executor, JsonObject, object]>([
    ['a pattern that blows up elsewhere', match, { text: LONG.slice(0, 20_000), pattern: '(a+)+$' }, { ok: true }],
    [
      'another that does',
      match,
      { text: `${LONG.slice(0, 20_000)}!`, pattern: '^(a|aa)+$' },
      { output: { matched: false } },
    ],
    ['a single search that takes seconds', match, { text: `${LONG}!`, pattern: '(?:a|aa|aaa){1,200}$' }, limit],
    ['many searches that each read on to the end', match, { text: LONG, pattern: 'a[^b]*b|a', all: true }, limit],
    ['the same replaced', replace, { text: LONG, pattern: 'a[^b]*b|a' }, limit],
    [
      'a part that V8 looks for in every place',
      replace,
      { text: LONG, pattern: `${LONG.slice(0, 4_900)}y${LONG.slice(0, 4_900)}`, literal: true },
      limit,
    ],
    [
      'a replacement of 10 GB',
      replace,
      { text: LONG, pattern: 'a', replacement: LONG.slice(0, 10_000), literal: true },
      tooLarge,
    ],
    [
      'a replacement by its group',
      replace,
      { text: LONG.slice(0, 20_000), pattern: '(a+)', replacement: '$1'.repeat(5_000) },
      tooLarge,
    ],
    ['a template of 100 GB', template, { template: '{x}'.repeat(100_000), values: { x: LONG } }, tooLarge],
    ['a template of much JSON', template, { template: '{x}'.repeat(1_000), values: { x: [LONG] } }, tooLarge],
    ['a long separator', join, { items: Array(100_000).fill(1), separator: LONG }, tooLarge],
    [
      'matches of a million groups',
      match,
      { text: LONG.slice(0, 20_000), pattern: `(a)${'(b?)'.repeat(150)}`, all: true },
      { ok: false },
    ],
  ])('%s does not block a shared thread', async (_, executor, inputs, expected) => {
    const { heldMs, result } = await heldBy(executor, inputs);
    expect(result).toMatchObject(expected);
    expect(heldMs).toBeLessThan(MAX_MS);
  });

  examples('parseCsv', parseCsv, [
    [{ text: 'sku,count\nA-1,2\n' }, [{ sku: 'A-1', count: '2' }]],
    [{ text: '\uFEFFa;b\r\n" x ";"1\n2"\r\n', delimiter: ';' }, [{ a: ' x ', b: '1\n2' }]],
    [{ text: 'a,b\n1,"say ""hi"""' }, [{ a: '1', b: 'say "hi"' }]],
    [{ text: 'a, b\n 1 ,2 ' }, [{ a: '1', b: '2' }]],
    [{ text: 'a,,a\n1,2,3' }, [{ a: '1', column2: '2', a_2: '3' }]],
    [
      { text: 'a,b\n1,2', header: false },
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      { text: 'n,z,big,t,e,d\n-1.5,007,12345678901234567890,true,,2026-11-21', inferTypes: true },
      [{ n: -1.5, z: '007', big: '12345678901234567890', t: true, e: null, d: '2026-11-21' }],
    ],
    [{ text: '' }, []],
    [{ text: 'a,b\n1\n' }, ['INVALID_CSV', /line 2/]],
    [{ text: 'a\n"open' }, ['INVALID_CSV', /[Qq]uote/]],
  ]);

  it('keeps a column called __proto__ as data', async () => {
    const result = await runExecutor(parseCsv, { text: '__proto__,a\nx,y' });
    expect(JSON.stringify(result)).toBe('{"ok":true,"output":[{"__proto__":"x","a":"y"}]}');
  });

  examples('writeCsv', writeCsv, [
    [{ rows: [{ sku: 'A-1', count: 2 }] }, 'sku,count\nA-1,2\n'],
    [{ rows: [{ a: 1 }, { b: { c: 'x,y' } }], columns: ['b.c', 'a'] }, 'b.c,a\n,1\n"x,y",\n'],
    [{ rows: [{ a: true, b: [1] }, { c: null }] }, 'a,b,c\ntrue,[1],\n,,\n'],
    [
      {
        rows: [
          ['a', 'b'],
          [1, 'say "hi"'],
        ],
        lineEnd: 'crlf',
      },
      'a,b\r\n1,"say ""hi"""\r\n',
    ],
    [{ rows: [{ a: '=1+1', b: -5 }], header: false, escapeFormulas: true }, "'=1+1,-5\n"],
    [{ rows: [] }, ''],
    [{ rows: [1] }, ['INVALID_INPUT', /^rows: expected a list of objects, or of lists$/]],
  ]);

  it('reads back its own output', async () => {
    const table = fc.array(fc.record({ a: fc.string(), b: fc.string() }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const written = await runExecutor(writeCsv, { rows });
        if (!written.ok) throw new Error(written.failure.message);
        const read = await runExecutor(parseCsv, { text: written.output, trim: false });
        expect(read).toEqual({ ok: true, output: rows });
      }),
    );
  });

  examples('parseJson', parseJson, [
    [{ text: ' {"a":[1,null]} ' }, { a: [1, null] }],
    [{ text: 'null' }, null],
    [{ text: '{"a":' }, ['INVALID_JSON', /^text: /]],
    [{ text: '' }, ['INVALID_JSON', /^text: /]],
  ]);

  examples('writeJson', writeJson, [
    [{ value: { a: [1, null] } }, '{"a":[1,null]}'],
    [{ value: { a: 1 }, indent: 2 }, '{\n  "a": 1\n}'],
    [{ value: null }, 'null'],
    [{}, 'null'],
    [{ value: 1, indent: 11 }, ['INVALID_INPUT', /^indent: expected at most 10$/]],
  ]);
});
