import { validateHeaderName, validateHeaderValue } from 'node:http';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../json.ts';
import { webhookResponse } from './webhookResponse.ts';

test.each<[JsonObject, object]>([
  [{}, { status: 200, headers: {}, body: null }],
  [{ status: 204 }, { status: 204, headers: {}, body: null }],
  [
    { status: 599, headers: { 'X-N': 5, 'X-B': true, 'X-None': null }, body: [1] },
    { status: 599, headers: { 'x-n': '5', 'x-b': 'true' }, body: [1] },
  ],
  [
    { headers: { 'Content-Language': 'de' }, body: '' },
    { status: 200, headers: { 'content-language': 'de' }, body: '' },
  ],
  [
    { body: 'iVA=', encoding: 'base64' },
    { status: 200, headers: {}, body: 'iVA=', encoding: 'base64' },
  ],
  [
    { body: '', encoding: 'base64' },
    { status: 200, headers: {}, body: '', encoding: 'base64' },
  ],
])('%j', (inputs, response) => {
  expect(webhookResponse(inputs)).toEqual({ response });
});

test.each<[JsonObject, string]>([
  [{ status: 199 }, 'status'],
  [{ status: '200' }, 'status'],
  [{ status: 200.5 }, 'status'],
  [{ headers: ['a'] }, 'headers'],
  [{ headers: { 'X-A': 'a\r\nSet-Cookie: b=c' } }, 'headers.X-A'],
  [{ headers: { 'X-A': 'a\nb' } }, 'headers.X-A'],
  [{ headers: { 'X-A': '€' } }, 'headers.X-A'],
  [{ headers: { 'X-A': ['a'] } }, 'headers.X-A'],
  [{ headers: { 'X A': 'a' } }, 'headers["X A"]'],
  [{ headers: { 'X:\r\nB': 'a' } }, 'headers["X:\\r\\nB"]'],
  [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
  [{ headers: { connection: 'close' } }, 'headers.connection'],
  [{ headers: { 'CONTENT-LENGTH': 5 } }, 'headers.CONTENT-LENGTH'],
  [{ headers: { 'Content-Encoding': 'gzip' } }, 'headers.Content-Encoding'],
  [{ status: 204, body: 'x' }, 'body'],
  [{ status: 304, body: {} }, 'body'],
  [{ body: 'no base64!', encoding: 'base64' }, 'body'],
  [{ body: 'abc', encoding: 'base64' }, 'body'],
  [{ body: { a: 1 }, encoding: 'base64' }, 'body'],
  [{ encoding: 'hex' }, 'encoding'],
])('%j is no answer', (inputs, place) => {
  expect(webhookResponse(inputs).problem).toMatch(new RegExp(`^${place.replace(/[[\]\\".]/g, '\\$&')}: `));
});

test('Node sends every allowed header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
      const read = webhookResponse({ headers: { [name]: value } });
      if (read.problem !== undefined) return;
      for (const [key, text] of Object.entries(read.response.headers)) {
        validateHeaderName(key);
        validateHeaderValue(key, text);
      }
    }),
  );
});

test('JavaScript is refused, unless webhooks have an origin of their own', () => {
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8' };
  expect(webhookResponse({ headers }).problem).toContain('a workflow cannot send JavaScript');
  expect(webhookResponse({ headers }, true).response?.headers).toEqual({ 'content-type': headers['Content-Type'] });
});
