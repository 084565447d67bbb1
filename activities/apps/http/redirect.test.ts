import { describe, expect, it } from '@jest/globals';
import type { Outgoing } from './outgoing.ts';
import { redirected } from './redirect.ts';

const request: Outgoing = {
  method: 'POST',
  url: new URL('https://a.test/x'),
  headers: {
    accept: '*/*',
    authorization: 'Bearer k',
    cookie: 'c=1',
    'content-type': 'application/json',
    'idempotency-key': 'step-1',
    'x-api-key': 'k',
  },
  body: '{}',
};

describe('redirected', () => {
  it.each([
    [200, '/y'],
    [300, '/y'],
    [304, '/y'],
    [301, undefined],
  ])('%i to %s is no redirect', (status, location) => {
    expect(redirected(request, status, location)).toBeUndefined();
  });

  it.each([['http://'], ['ftp://a.test/'], ['file:///etc/passwd'], ['javascript:alert(1)']])(
    '%s is invalid',
    (location) => {
      expect(redirected(request, 302, location)).toBe('invalid');
    },
  );

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('%i turns %s into %s', (status, method, expected) => {
    const next = redirected({ ...request, method }, status, '/y') as Outgoing;
    expect(next.method).toBe(expected);
    expect(next.url.href).toBe('https://a.test/y');
    expect(next.headers).toMatchObject({ authorization: 'Bearer k', cookie: 'c=1', 'x-api-key': 'k' });
    const keepsBody = expected === method && method !== 'GET';
    expect(next.body).toBe(keepsBody ? '{}' : undefined);
    expect('content-type' in next.headers).toBe(keepsBody);
  });

  it.each([['https://b.test/'], ['http://a.test/'], ['https://a.test:8443/'], ['//b.test/'], ['https://sub.a.test/']])(
    'leaves credentials and the idempotency key behind on the way to %s',
    (location) => {
      const next = redirected(request, 307, location) as Outgoing;
      expect(next.headers).toEqual({ accept: '*/*', 'content-type': 'application/json' });
    },
  );

  it('ignores credentials in the location', () => {
    expect((redirected(request, 302, 'https://u:p@a.test/y') as Outgoing).url.href).toBe('https://a.test/y');
  });
});
