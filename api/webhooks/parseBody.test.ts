import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../domain/problem.ts';
import { parseBody } from './parseBody.ts';

const LIMIT = 20;
const parse = (type: string | undefined, body: string | Buffer) =>
  parseBody(type, Buffer.from(body as string), { maxParts: LIMIT, maxDepth: LIMIT });

async function problemOf(type: string | undefined, body: string | Buffer): Promise<Problem> {
  const error = await parse(type, body).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw new Error(`${type}: no problem but ${error}`);
  return error;
}

test.each([
  ['application/json', '{"a":[1]}', { a: [1] }],
  ['application/cloudevents+json; charset=UTF-8', '"ä"', 'ä'],
  ['text/plain', 'Grüße', 'Grüße'],
  ['text/plain; charset=iso-8859-1', Buffer.from([0x47, 0xfc]), 'Gü'],
  ['text/csv', 'a,b\r\n1,2', 'a,b\r\n1,2'],
  ['application/soap+xml', '<a/>', '<a/>'],
  ['application/x-ndjson', '{}\n{}', '{}\n{}'],
  ['image/png', Buffer.from([0x89, 0x50]), { contentType: 'image/png', size: 2, base64: 'iVA=' }],
  [undefined, 'x', { contentType: 'application/octet-stream', size: 1, base64: 'eA==' }],
  ['application/json', '', null],
  ['multipart/form-data', '', null],
])('%s', async (type, body, expected) => {
  expect(await parse(type, body)).toEqual(expected);
});

describe('forms', () => {
  const type = 'application/x-www-form-urlencoded';
  test.each([
    ['a=1&b=x+y%26z', { a: '1', b: 'x y&z' }],
    ['a=1&b=2&a=3&a=', { a: ['1', '3', ''], b: '2' }],
    ['a&=b&&c=d=e', { a: '', '': 'b', c: 'd=e' }],
    ['%C3%A4=%E2%82%AC', { ä: '€' }],
  ])('%s', async (body, expected) => {
    expect(await parse(type, body)).toEqual(expected);
  });

  test('a field may have any name', async () => {
    const body = (await parse(type, '__proto__=1&constructor=2&__proto__=3')) as object;
    expect(Object.entries(body)).toEqual([
      ['__proto__', ['1', '3']],
      ['constructor', '2'],
    ]);
  });

  test.each([
    ['a=1&b=%zz', '', 'at character 7'],
    ['a=%', '', 'at character 3'],
    ['a=1&b=%FF', '', 'from character 7'],
    ['a=%00', 'a', 'NUL'],
  ])('%s is broken', async (body, path, message) => {
    const { code, errors } = await problemOf(type, body);
    expect([code, errors?.[0]?.path]).toEqual(['VALIDATION_FAILED', path]);
    expect(errors?.[0]?.message).toContain(message);
  });

  test('the parser reads every text that URLSearchParams writes', async () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: LIMIT,
    });
    await fc.assert(
      fc.asyncProperty(pairs, async (fields) => {
        fc.pre(fields.every(([name, value]) => !`${name}${value}`.includes('\0')));
        const body = (await parse(type, new URLSearchParams(fields).toString())) as object;
        expect(new Map(Object.entries(body))).toEqual(new Map(fields));
      }),
      { numRuns: 100 },
    );
  });

  test('the number of fields is limited', async () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'a=1').join('&');
    expect(await parse(type, fields(LIMIT))).toEqual({ a: Array.from({ length: LIMIT }, () => '1') });
    expect((await problemOf(type, fields(LIMIT + 1))).code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('multipart', () => {
  const type = 'multipart/form-data; boundary=xx';
  const part = (disposition: string, value: string, more = '') =>
    `--xx\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`;
  const END = '--xx--\r\n';

  test('fields and files in order', async () => {
    const body = [
      part('name="note"', 'Grüße'),
      part('name="tag"', 'a'),
      part('name="scan"; filename="../dir/Übersicht.pdf"', '%PDF\r\n1', 'Content-Type: application/pdf\r\n'),
      part('name="tag"', 'b'),
      part('name="files"; filename="b.txt"', ''),
      part('name="unused"; filename=""', '', 'Content-Type: application/octet-stream\r\n'),
      END,
    ].join('');
    const base64 = Buffer.from('%PDF\r\n1').toString('base64');
    expect(await parse(type, body)).toEqual({
      note: 'Grüße',
      tag: ['a', 'b'],
      files: [
        { field: 'scan', name: 'Übersicht.pdf', contentType: 'application/pdf', size: 7, base64 },
        { field: 'files', name: 'b.txt', contentType: 'text/plain', size: 0, base64: '' },
      ],
    });
  });

  test('a form without parts; text outside the parts is left out', async () => {
    expect(await parse(type, END)).toEqual({ files: [] });
    const body = `a preamble\r\n--xx\r\n\r\nno field\r\n${part('name="a"', '1')}${END}an epilogue`;
    expect(await parse(type, body)).toEqual({ a: '1', files: [] });
  });

  test('bytes of any kind, and more than any buffer', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7919) & 0xff));
    const head = part('name="f"; filename="f"', '', 'Content-Type: application/octet-stream\r\n').slice(0, -2);
    const body = Buffer.concat([
      Buffer.from(head),
      bytes,
      Buffer.from(`\r\n${part('name="a"', 'x'.repeat(300_000))}${END}`),
    ]);
    const parsed = await parse(type, body);
    expect(parsed).toMatchObject({ files: [{ size: bytes.length }] });
    const { a, files } = parsed as { a: string; files: { base64: string }[] };
    expect(a).toHaveLength(300_000);
    expect(Buffer.from(files[0]?.base64 ?? '', 'base64').equals(bytes)).toBe(true);
  });

  test.each([
    ['no boundary', 'multipart/form-data', part('name="a"', '1') + END],
    ['another boundary', 'multipart/form-data; boundary=yy', part('name="a"', '1') + END],
    ['cut off in a field', type, part('name="a"', '1')],
    ['cut off in a file', type, part('name="a"; filename="a"', '1').slice(0, -3)],
    ['cut off in the head of a part', type, '--xx\r\nContent-Disposition: form-da'],
    ['a field without a name', type, part('nome="a"', '1') + END],
    ['a file without a name', type, part('filename="a"', '1') + END],
    ['a field named files', type, part('name="files"', '1') + END],
    ['a NUL', type, part('name="a"', '\0') + END],
  ])('broken: %s', async (_, contentType, body) => {
    const { code, errors } = await problemOf(contentType, body);
    expect([code, errors?.[0]?.path]).toEqual(['VALIDATION_FAILED', expect.stringMatching(/^(a$|files(\[|$)|$)/)]);
  });

  test('the number of fields and files is limited', async () => {
    const parts = (count: number) => part('name="a"; filename="a"', '1').repeat(count) + END;
    expect(await parse(type, parts(LIMIT))).toMatchObject({ files: { length: LIMIT } });
    expect((await problemOf(type, parts(LIMIT + 1))).code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('any input gives an answer or a problem', async () => {
    const whole = part('name="a"', '1') + part('name="b"; filename="b"', 'two') + END;
    const cut = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.string());
    await fc.assert(
      fc.asyncProperty(cut, async ([from, to, between]) => {
        const body = whole.slice(0, from) + between + whole.slice(to);
        const error = await parse(type, body).catch((thrown: unknown) => thrown);
        if (error instanceof Error) expect(error).toBeInstanceOf(Problem);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['application/json', '{"a":}', 'VALIDATION_FAILED'],
  ['application/json; charset=latin1', '{}', 'UNSUPPORTED_MEDIA_TYPE'],
  ['text/plain; charset=klingon', 'x', 'UNSUPPORTED_MEDIA_TYPE'],
  ['text/plain', Buffer.from([0xff]), 'VALIDATION_FAILED'],
  ['text/plain', 'a\0b', 'VALIDATION_FAILED'],
])('%s: %j is refused', async (type, body, code) => {
  expect((await problemOf(type, body)).code).toBe(code);
});
