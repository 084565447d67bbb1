import { expect, test } from '@jest/globals';
import { headerNameProblem } from './headerRules.ts';

test.each([
  'Content-Type',
  'Content-Disposition',
  'Content-Security-Policy',
  'Cache-Control',
  'ETag',
  'Last-Modified',
  'Location',
  'Link',
  'Retry-After',
  'Vary',
  'Access-Control-Allow-Origin',
  'X-Tea',
  'x-ratelimit-remaining',
])('a workflow may send %s', (name) => {
  expect(headerNameProblem(name)).toBeUndefined();
});

test.each([
  ['Content-Length', 'set by the server'],
  ['Content-Encoding', 'set by the server'],
  ['Transfer-Encoding', 'set by the server'],
  ['Server', 'set by the server'],
  ['Set-Cookie', 'every answer of this server'],
  ['X-Accel-Redirect', 'effect on proxies or browsers'],
  ['x-accel-buffering', 'effect on proxies or browsers'],
  ['X-Sendfile', 'effect on proxies or browsers'],
  ['X-Sendfile-Type', 'effect on proxies or browsers'],
  ['X-LIGHTTPD-Send-File', 'effect on proxies or browsers'],
  ['X-Reproxy-URL', 'effect on proxies or browsers'],
  ['X-Frame-Options', 'effect on proxies or browsers'],
  ['X-Content-Type-Options', 'effect on proxies or browsers'],
  ['WWW-Authenticate', 'not allowed in a workflow'],
  ['Refresh', 'not allowed in a workflow'],
  ['Age', 'not allowed in a workflow'],
  ['Surrogate-Control', 'not allowed in a workflow'],
  ['a b', 'not a valid header name'],
])('a workflow cannot send %s: %s', (name, reason) => {
  expect(headerNameProblem(name)).toContain(reason);
});
