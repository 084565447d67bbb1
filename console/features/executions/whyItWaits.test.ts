import { expect, test } from '@jest/globals';
import type { ExecutionWhole } from './queries/executions.ts';
import { whyItWaits } from './whyItWaits.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');

const why = (...steps: object[]) =>
  whyItWaits({ status: 'RUNNING', executionPath: steps } as unknown as ExecutionWhole, NOW);
const running = (label: string, more: object = {}) => ({ label, status: 'RUNNING', appId: null, ...more });
const child = running('Close the books', { input: { slug: 'close', executionId: 'c' } });
const asked = { appId: 'agent', actionId: 'run', input: { agentId: 'a', taskId: 't', message: 'Hi' } };

test('an execution that waits for another one, or for an agent, says so', () => {
  expect(why(child)).toBe('“Close the books” waits for the execution that it started.');
  expect(why(running('Ask', asked))).toBe('“Ask” waits for its agent.');
});

test('a step whose agent asks for an approval says so', () => {
  const awaitedApproval = { agentId: 'a', taskId: 't', runId: 'r' };
  expect(why({ ...asked, label: 'Ask', status: 'WAITING', awaitedApproval })).toBe(
    '“Ask” waits for the approval of a tool call.',
  );
});

test('a step whose task queue no worker polls says so, and what happens next', () => {
  expect(why({ label: 'Charge', status: 'WAITING', statusMessage: 'no worker polls billing' })).toBe(
    '“Charge” waits: no worker polls billing. It continues by itself once a worker polls this task queue.',
  );
});

test('parallel work is named', () => {
  expect(why(child, running('Fetch', { appId: 'http', actionId: 'request', input: {} }))).toBe(
    'Running “Close the books”, “Fetch”.',
  );
  // Its execution does not exist yet.
  expect(why(running('Close', { input: { slug: 'close' } }))).toBe('Running “Close”.');
});

test('a person, a retry and a wait go before what runs', () => {
  expect(why(child, { label: 'Approve', status: 'NEEDS_INPUT' })).toBe('“Approve” waits for a person’s answer.');
  const retrying = { label: 'Pay', status: 'RETRYING', error: { code: 'HTTP_502' }, wakeAt: '2026-11-28T10:00:40Z' };
  expect(why(child, retrying)).toBe('“Pay” failed (HTTP_502) and will be retried in 40 sec.');
});
