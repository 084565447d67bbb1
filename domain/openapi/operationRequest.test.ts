import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../json.ts';
import { planOf } from './operationPlan.ts';
import { requestParts } from './operationRequest.ts';
import { operationsOf } from './operations.ts';
import { References } from './references.ts';

function partsOf(path: string, operation: JsonObject, inputs: JsonObject) {
  const document = { openapi: '3.0.3', paths: { [path]: { post: operation } } };
  const fail = (problem: object) => {
    throw new Error(JSON.stringify(problem));
  };
  const references = new References(document, fail);
  const [found] = operationsOf(document, references);
  if (!found) throw new Error('no operation');
  return requestParts(path, planOf(found, references, fail), inputs);
}

const COLORS = ['blue', 'black'];
const RGB = { R: 100, G: 200 };

describe('styles', () => {
  it.each<[string, boolean, Json, string]>([
    ['form', true, 'blue', 'color=blue'],
    ['form', true, COLORS, 'color=blue&color=black'],
    ['form', false, COLORS, 'color=blue,black'],
    ['form', true, RGB, 'R=100&G=200'],
    ['form', false, RGB, 'color=R,100,G,200'],
    ['spaceDelimited', false, COLORS, 'color=blue black'],
    ['pipeDelimited', false, COLORS, 'color=blue|black'],
    ['deepObject', true, { R: 100, G: { a: ['x'] } }, 'color[R]=100&color[G][a][0]=x'],
  ])('of a query: %s, explode %s', (style, explode, value, expected) => {
    const parameters = [{ name: 'color', in: 'query', style, explode, schema: {} }];
    const { query } = partsOf('/', { parameters }, { color: value });
    expect(query.map((pair) => pair.join('=')).join('&')).toBe(expected);
  });

  it.each<[string, boolean, Json, string]>([
    ['simple', false, 'a b/c', 'a%20b%2Fc'],
    ['simple', false, COLORS, 'blue,black'],
    ['simple', false, RGB, 'R,100,G,200'],
    ['simple', true, RGB, 'R=100,G=200'],
    ['label', false, 'blue', '.blue'],
    ['label', true, COLORS, '.blue.black'],
    ['label', true, RGB, '.R=100.G=200'],
    ['matrix', false, 'blue', ';color=blue'],
    ['matrix', false, COLORS, ';color=blue,black'],
    ['matrix', true, COLORS, ';color=blue;color=black'],
    ['matrix', true, RGB, ';R=100;G=200'],
  ])('of a path: %s, explode %s, %j', (style, explode, value, expected) => {
    const parameters = [{ name: 'color', in: 'path', required: true, style, explode, schema: {} }];
    expect(partsOf('/x/{color}/y', { parameters }, { color: value }).path).toBe(`/x/${expected}/y`);
  });

  it('of headers and cookies, and JSON', () => {
    const parameters: JsonObject[] = [
      { name: 'X-List', in: 'header', schema: {} },
      { name: 'session', in: 'cookie', schema: {} },
      { name: 'filter', in: 'query', content: { 'application/json': { schema: {} } } },
    ];
    const parts = partsOf('/', { parameters }, { 'X-List': [1, 2], session: 's', filter: { a: [1] } });
    expect(parts).toMatchObject({
      headers: { 'x-list': '1,2' },
      cookies: [['session', 's']],
      query: [['filter', '{"a":[1]}']],
    });
  });

  it('refuse parts that are objects', () => {
    const parameters = [{ name: 'ids', in: 'query', schema: {} }];
    expect(() => partsOf('/', { parameters }, { ids: [{}] })).toThrow('ids: its parts must be texts');
  });
});

describe('a path', () => {
  const parameters = ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));

  it.each([
    ['..', 'x'],
    ['.', '.'],
    ['', 'x'],
  ])('does not lead elsewhere: %j, %j', (a, b) => {
    expect(() => partsOf('/safe/{a}{b}/x/{a}', { parameters }, { a, b })).toThrow(/path/);
  });

  it('encodes what would end it', () => {
    expect(partsOf('/safe/{a}/{b}', { parameters }, { a: '../../x', b: '?#%2e' }).path).toBe(
      '/safe/..%2F..%2Fx/%3F%23%252e',
    );
  });
});

describe('a body', () => {
  const bodyOf = (type: string, schema: JsonObject, inputs: JsonObject, media: JsonObject = {}) =>
    partsOf('/', { requestBody: { content: { [type]: { schema, ...media } } } }, inputs).body;
  const person = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'number', nullable: true },
      tags: { type: 'array', items: {} },
      to: { type: 'object' },
    },
  };

  it('is JSON of the given members; null is sent if the service takes it', () => {
    expect(bodyOf('application/json', person, { name: null, age: null, tags: [1] })?.text).toBe(
      '{"age":null,"tags":[1]}',
    );
    expect(bodyOf('application/merge-patch+json', person, { name: 'Ann' })).toEqual({
      contentType: 'application/merge-patch+json',
      text: '{"name":"Ann"}',
    });
    expect(bodyOf('application/json', person, {})).toBeUndefined();
  });

  it('is a form, with objects as JSON or in the style of the document', () => {
    const inputs = { name: 'Ann B', tags: ['a', 'b'], to: { city: 'Bern' } };
    const type = 'application/x-www-form-urlencoded';
    expect(bodyOf(type, person, inputs)?.text).toBe('name=Ann+B&tags=a&tags=b&to=%7B%22city%22%3A%22Bern%22%7D');
    const encoding = { to: { style: 'deepObject', explode: true } };
    expect(bodyOf(type, person, { to: { city: 'Bern' } }, { encoding })?.text).toBe('to%5Bcity%5D=Bern');
  });

  it('is the field itself if it is no object', () => {
    expect(bodyOf('application/json', { type: 'array', items: {} }, { body: [1] })?.text).toBe('[1]');
    expect(bodyOf('text/plain', { type: 'string' }, { body: 'x' })).toEqual({ contentType: 'text/plain', text: 'x' });
  });

  const MULTIPART = 'multipart/form-data';

  it('is multipart, with parts in text or JSON, which a parser reads', async () => {
    const meta = { type: 'object', properties: { id: { type: 'integer' } } };
    const properties = { ...person.properties, meta, note: { type: 'string' }, 'a"b': { type: 'string' } };
    const encoding = { note: { contentType: 'text/markdown' }, tags: { contentType: 'application/json' } };
    const inputs: JsonObject = {
      ...{ name: 'Ann\r\n--x', age: 3, tags: ['a', 'b'], to: { city: 'Bern' } },
      ...{ meta: { id: 1 }, note: '# Hi', a_b: 'é' },
    };
    const body = bodyOf(MULTIPART, { type: 'object', properties }, inputs, { encoding });
    const headers = { 'content-type': body?.contentType ?? '' };
    const form = await new Response(body?.text, { headers }).formData();
    expect([...form]).toEqual([
      ['name', 'Ann\r\n--x'],
      ['age', '3'],
      ['tags', '["a","b"]'],
      ['to', '{"city":"Bern"}'],
      ['meta', '{"id":1}'],
      ['note', '# Hi'],
      ['a"b', 'é'],
    ]);
    expect(body?.text.match(/content-type: .*/g)).toEqual([
      'content-type: application/json',
      'content-type: application/json',
      'content-type: application/json',
      'content-type: text/markdown',
    ]);
    expect(bodyOf(MULTIPART, { type: 'object', properties }, inputs, { encoding })).toEqual(body);
  });

  it('is multipart with a part for each value of a list, or with the parts of an object', async () => {
    const formOf = async (schema: JsonObject, inputs: JsonObject) => {
      const body = bodyOf(MULTIPART, schema, inputs);
      const headers = { 'content-type': body?.contentType ?? '' };
      return [...(await new Response(body?.text, { headers }).formData())];
    };
    expect(await formOf(person, { tags: ['a', 'b'] })).toEqual([
      ['tags', 'a'],
      ['tags', 'b'],
    ]);
    expect(await formOf(person, { tags: [{ id: 1 }] })).toEqual([['tags', '{"id":1}']]);
    expect(await formOf({ type: 'object' }, { body: { a: 1, b: { c: 2 } } })).toEqual([
      ['a', '1'],
      ['b', '{"c":2}'],
    ]);
    expect(() => bodyOf(MULTIPART, { type: 'object' }, { body: 'x' })).toThrow('body: a form is an object');
  });

  it('takes no type of the document that would end a header', () => {
    const encoding = { age: { contentType: 'text/plain\r\nx: y' } };
    const properties = { age: {}, name: {} };
    expect(() => bodyOf('multipart/form-data', { type: 'object', properties }, { age: 1 }, { encoding })).toThrow(
      'age',
    );
  });
});
