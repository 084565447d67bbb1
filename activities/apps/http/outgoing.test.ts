import { describe, expect, it } from '@jest/globals';
import { composeRequest, HostNotAllowed, type OutgoingInputs, UnsendableInput } from './outgoing.ts';

const compose = (inputs: Partial<OutgoingInputs>, connection?: { type: string; credentials: Record<string, string> }) =>
  composeRequest(
    { method: 'GET', url: 'https://api.test/v1?a=1', responseType: 'auto', ...inputs },
    {
      idempotencyKey: 'step-1',
      ...(connection === undefined
        ? {}
        : { connection: { ...connection, credentials: { allowedHosts: 'api.test', ...connection.credentials } } }),
    },
  );

describe('composeRequest', () => {
  it.each<[Partial<OutgoingInputs>, string]>([
    [{}, 'https://api.test/v1?a=1'],
    [
      { query: { b: 'x y&z', n: 2, t: true, l: [1, null, 'q'], none: null } },
      'https://api.test/v1?a=1&b=x+y%26z&n=2&t=true&l=1&l=q',
    ],
  ])('addresses %j', (inputs, url) => {
    expect(compose(inputs).url.href).toBe(url);
  });

  it.each<[Partial<OutgoingInputs>, string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ body: null }, undefined, undefined],
    [{ body: { a: 1 } }, '{"a":1}', 'application/json'],
    [{ body: [1] }, '[1]', 'application/json'],
    [{ body: 3 }, '3', 'application/json'],
    [{ body: 'a=1' }, 'a=1', 'text/plain; charset=utf-8'],
    [{ body: '<a/>', headers: { 'Content-Type': 'application/xml' } }, '<a/>', 'application/xml'],
    [{ body: { a: 1 }, headers: { 'content-type': 'application/vnd.x+json' } }, '{"a":1}', 'application/vnd.x+json'],
    [
      { body: { a: 'x y', b: [1, 2], c: null }, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      'a=x+y&b=1&b=2',
      'application/x-www-form-urlencoded',
    ],
  ])('sends the body of %j', (inputs, body, contentType) => {
    const request = compose({ method: 'POST', ...inputs });
    expect(request.body).toBe(body);
    expect(request.headers['content-type']).toBe(contentType);
  });

  it.each([
    ['GET', undefined],
    ['PUT', undefined],
    ['DELETE', undefined],
    ['POST', 'step-1'],
    ['PATCH', 'step-1'],
  ])('%s carries the idempotency key %s', (method, key) => {
    expect(compose({ method }).headers['idempotency-key']).toBe(key);
  });

  it("keeps the author's idempotency key, and omits it for null", () => {
    expect(compose({ method: 'POST', headers: { 'Idempotency-Key': 'mine' } }).headers['idempotency-key']).toBe('mine');
    expect(compose({ method: 'POST', headers: { 'Idempotency-Key': null } }).headers).not.toHaveProperty(
      'idempotency-key',
    );
  });

  it.each([
    [{ apiKey: 'k' }, 'authorization', 'Bearer k'],
    [{ apiKey: 'k', prefix: '' }, 'authorization', 'Bearer k'],
    [{ apiKey: 'k', prefix: 'none' }, 'authorization', 'k'],
    [{ apiKey: 'k', prefix: 'Token' }, 'authorization', 'Token k'],
    [{ apiKey: 'k', header: '' }, 'authorization', 'Bearer k'],
    [{ apiKey: 'k', header: 'X-API-Key' }, 'x-api-key', 'k'],
    [{ apiKey: 'k', header: 'X-API-Key', prefix: 'v1' }, 'x-api-key', 'v1 k'],
  ])('sends the API key of %j', (credentials, name, value) => {
    expect(compose({ headers: { [name]: 'author' } }, { type: 'apiKey', credentials }).headers[name]).toBe(value);
  });

  it('sends basic credentials as UTF-8', () => {
    const connection = { type: 'basic', credentials: { username: 'ä', password: 'p:w' } };
    expect(compose({}, connection).headers.authorization).toBe(`Basic ${Buffer.from('ä:p:w').toString('base64')}`);
  });

  it.each<[Partial<OutgoingInputs>, string]>([
    [{ url: '/v1' }, 'url: expected an absolute http or https address'],
    [{ url: 'file:///etc/passwd' }, 'url: expected an absolute http or https address'],
    [{ url: 'https://ada:pw@api.test/' }, 'url: credentials belong in a connection, not in the address'],
    [{ query: { a: { b: 1 } } }, 'query.a: expected text, a number, true or false, or a list of them'],
    [{ headers: { Host: 'x' } }, 'headers.Host: is set by the connection itself'],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding: is set by the connection itself'],
    [{ headers: { 'a b': 'x' } }, 'headers: "a b" is not a header\'s name'],
    [{ headers: { a: 's3cret\r\nb: c' } }, 'headers.a: holds a character that a header cannot hold'],
    [{ headers: { a: ['x'] } }, 'headers.a: expected text'],
    [
      { body: { a: {} }, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'body.a: a form holds no objects',
    ],
  ])('refuses %j', (inputs, message) => {
    expect(() => compose(inputs)).toThrow(message);
  });

  it.each([
    [{ type: 'apiKey', credentials: { apiKey: 's3cret\nb: c' } }],
    [{ type: 'apiKey', credentials: { apiKey: 's3cret', header: 'Host' } }],
    [{ type: 'oauth2', credentials: { token: 's3cret' } }],
  ])('refuses the connection %j without telling its secret', (connection) => {
    expect(() => compose({}, connection)).toThrow(/^connection: (?!.*s3cret)/);
  });

  it('sends a credential only to the hosts of its connection', () => {
    const connection = (allowedHosts: string) => ({ type: 'apiKey', credentials: { apiKey: 's3cret', allowedHosts } });
    expect(() => compose({}, connection('other.test'))).toThrow(HostNotAllowed);
    expect(() => compose({}, connection('*.api.test, other.test'))).toThrow(HostNotAllowed);
    expect(() => compose({}, connection(''))).toThrow(UnsendableInput);
    expect(compose({}, connection('other.test, api.test:443')).headers.authorization).toBe('Bearer s3cret');
  });
});
