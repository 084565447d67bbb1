import { expect, test } from '@jest/globals';
import { Problem } from '../../domain/problem.ts';
import { problemReply, toProblem } from './problem.ts';

test('the answer to an unknown failure reveals nothing about it', () => {
  const problem = toProblem(new Error('password=hunter2 at /srv/app'));
  const { status, body, headers } = problemReply(problem, 'r1');
  expect(status).toBe(500);
  expect(headers['content-type']).toContain('application/problem+json');
  expect(String(body)).not.toMatch(/hunter2|srv/);
  expect(JSON.parse(String(body))).toMatchObject({ code: 'INTERNAL', status: 500, requestId: 'r1' });
});

test.each([
  ['refused by the operating system', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['all addresses refused', new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])],
  ["Prisma's pool", Object.assign(new Error('pool'), { code: 'P2024' })],
  [
    "the adapter's, inside Prisma's",
    { code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'ConnectionClosed' } } } },
  ],
  ['a server that shuts down', { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode: '57P01' } } } }],
  ["pg's pool", new Error('timeout exceeded when trying to connect')],
  ['a disk that is full', Object.assign(new Error('x'), { code: '53100' })],
  [
    'read-only',
    { code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '25006' } } } },
  ],
  ['a cancelled statement', Object.assign(new Error('x'), { code: '57014' })],
  ['a right that was taken away', Object.assign(new Error('x'), { code: '42501' })],
])('an unavailable database is a 503: %s', (_, error) => {
  expect(toProblem(error)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryAfter: 1 });
});

test('a wrong statement does not mean that the database is unavailable', () => {
  const error = { code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '42703' } } } };
  expect(toProblem(error).code).toBe('INTERNAL');
});

test('a problem shows its errors, members and headers', () => {
  const errors = [{ path: 'nodes[2]', message: 'is unknown', nodeId: 'a' }];
  const problem = new Problem('RATE_LIMITED', 'Too many', { errors, members: { candidates: [] }, retryAfter: 0.2 });
  const { headers, body } = problemReply(problem, 'r2');
  expect(headers['retry-after']).toBe('1');
  expect(JSON.parse(String(body))).toEqual({
    type: '/docs/problems#RATE_LIMITED',
    title: 'Too many requests',
    status: 429,
    detail: 'Too many',
    code: 'RATE_LIMITED',
    requestId: 'r2',
    errors,
    candidates: [],
  });
  expect(problemReply(new Problem('UNAUTHENTICATED', 'x'), 'r').headers['www-authenticate']).toContain('Bearer');
});
