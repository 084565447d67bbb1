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
  ['X-Accel-Redirect', 'obeyed by proxies or browsers'],
  ['x-accel-buffering', 'obeyed by proxies or browsers'],
  ['X-Sendfile', 'obeyed by proxies or browsers'],
  ['X-Sendfile-Type', 'obeyed by proxies or browsers'],
  ['X-LIGHTTPD-Send-File', 'obeyed by proxies or browsers'],
  ['X-Reproxy-URL', 'obeyed by proxies or browsers'],
  ['X-Frame-Options', 'obeyed by proxies or browsers'],
  ['X-Content-Type-Options', 'obeyed by proxies or browsers'],
  ['WWW-Authenticate', 'none that a workflow can send'],
  ['Refresh', 'none that a workflow can send'],
  ['Age', 'none that a workflow can send'],
  ['Surrogate-Control', 'none that a workflow can send'],
  ['a b', 'not a valid header name'],
])('a workflow cannot send %s: %s', (name, reason) => {
  expect(headerNameProblem(name)).toContain(reason);
});
