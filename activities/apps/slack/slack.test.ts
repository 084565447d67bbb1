import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkFields } from '../../../domain/fieldDeclaration.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { outputProblems } from '../../../test/setup/api/outputProblems.ts';
import { loopback, type SeenCall } from '../../../test/setup/providers/loopback.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';
import type { CallConnection } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { slack } from './manifest.ts';
import { buildSlack } from './messages.ts';

type Answer = (call: SeenCall, response: ServerResponse) => void;

let answer: Answer;
const server = await loopback((call, response) => answer(call, response), 'file');
beforeEach(() => {
  server.calls.length = 0;
});

const says =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));

const POSTED = { ok: true, channel: 'C1', ts: '1763720130.000100', message: { text: 'hi' } };
const BOT: CallConnection = { type: 'botToken', credentials: { botToken: 'xoxb-secret-1' } };
const MANIFEST = slack();

async function call(actionId: string, inputs: JsonObject, connection = BOT) {
  const executors = buildSlack({ slackUrl: server.url, allowedPrivateHosts: [], maxResponseBytes: 100_000 });
  const result = await runExecutor(
    executors[actionId] as never,
    { channel: 'C1', text: 'hi', ...inputs },
    { connection },
  );
  const manifest = MANIFEST.actions.find((each) => each.actionId === actionId);
  if (result.ok && manifest) expect(outputProblems(manifest, result.output)).toEqual([]);
  return result;
}

it('declares valid fields and the addresses of its operator', () => {
  for (const { inputConfig } of MANIFEST.actions)
    expect(checkFields(inputConfig.fields, 'fields', 'ofApp')).toEqual([]);
  expect(MANIFEST.connectionTypes[0]?.oauth2).toEqual({
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scopes: 'chat:write channels:read groups:read',
    scopeSeparator: ',',
    allowedHosts: 'slack.com',
  });
  expect(slack('https://slack-gov.com').connectionTypes[0]?.oauth2?.allowedHosts).toBe('slack-gov.com');
});

describe('messages', () => {
  it('are posted with the token of the bot', async () => {
    answer = says(POSTED);
    const blocks = [{ type: 'divider' }];
    const result = await call('postMessage', { blocks, threadTs: '1763720000.000200' });
    expect(result).toEqual({ ok: true, output: { channel: 'C1', ts: '1763720130.000100' } });
    const [seen] = server.calls;
    expect([seen?.method, seen?.url, seen?.headers.authorization]).toEqual([
      ...['POST', '/api/chat.postMessage', 'Bearer xoxb-secret-1'],
    ]);
    expect(seen?.headers['content-type']).toBe('application/json; charset=utf-8');
    const sent = { channel: 'C1', text: 'hi', blocks, thread_ts: '1763720000.000200' };
    expect(JSON.parse(seen?.body ?? '')).toEqual(sent);
  });

  it('are changed', async () => {
    answer = says(POSTED);
    expect(await call('updateMessage', { ts: '1763720130.000100', text: 'ho' })).toMatchObject({ ok: true });
    expect(server.calls[0]?.url).toBe('/api/chat.update');
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({ channel: 'C1', ts: '1763720130.000100', text: 'ho' });
  });

  it.each<[JsonObject, string]>([
    [{ text: 'x'.repeat(40_001) }, 'text: expected at most 40000 characters'],
    [{ blocks: Array.from({ length: 51 }, () => ({})) }, 'blocks: expected at most 50 entries'],
    [{ blocks: ['x'] }, 'blocks.0: expected an object'],
    [{ threadTs: 'yesterday' }, 'threadTs: expected the ts of a message, such as 1763720130.000100'],
  ])('beyond the limits are refused: %#', async (inputs, message) => {
    expect(await call('postMessage', inputs)).toMatchObject({ failure: { code: 'INVALID_INPUT', message } });
    expect(server.calls).toEqual([]);
  });
});

describe('an error of Slack', () => {
  it.each([
    ['channel_not_found', 'SLACK_CHANNEL_NOT_FOUND', false],
    ['not_in_channel', 'SLACK_NOT_IN_CHANNEL', false],
    ['invalid_auth', 'SLACK_INVALID_AUTH', false],
    ['some_new_error', 'SLACK_SOME_NEW_ERROR', false],
    ['internal_error', 'SLACK_INTERNAL_ERROR', true],
    ['fatal_error', 'SLACK_FATAL_ERROR', false],
  ])('%s fails the step with %s', async (error, code, retryable) => {
    answer = says({ ok: false, error });
    expect(await call('postMessage', {})).toMatchObject({
      ok: false,
      failure: { code, retryable, details: { error } },
    });
  });

  it('shows the missing scope, and never the token', async () => {
    answer = says({ ok: false, error: 'missing_scope', needed: 'chat:write', provided: 'xoxb-secret-1' });
    const result = await call('postMessage', {});
    expect(result).toMatchObject({ failure: { code: 'SLACK_MISSING_SCOPE', details: { needed: 'chat:write' } } });
    expect(JSON.stringify(result)).not.toContain('xoxb-secret-1');
  });

  it('asks for a pause, is unclear, or is no answer at all', async () => {
    answer = says({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '30' });
    expect(await call('postMessage', {})).toMatchObject({
      failure: { code: 'SLACK_RATE_LIMITED', retryable: true, retryAfterMs: 30_000 },
    });
    answer = says({ ok: true });
    expect(await call('postMessage', {})).toMatchObject({ failure: { code: 'SLACK_UNCLEAR', retryable: false } });
    answer = says('oops', 503);
    expect(await call('postMessage', {})).toMatchObject({ failure: { code: 'SLACK_UNAVAILABLE', retryable: true } });
    answer = (_, response) => response.destroy();
    expect(await call('postMessage', {})).toMatchObject({ failure: { code: 'HTTP_CONNECTION_FAILED' } });
  });
});

it('an expired access token is renewed once, and the request sent again', async () => {
  answer = (seen, response) =>
    says(seen.headers.authorization === 'Bearer new' ? POSTED : { ok: false, error: 'token_expired' })(seen, response);
  const connection: CallConnection = { type: 'oauth2', credentials: { accessToken: 'old' } };
  connection.renew = async () => {
    connection.credentials = { accessToken: 'new' };
    return undefined;
  };
  expect(await call('postMessage', {}, connection)).toMatchObject({ ok: true });
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
});

it('a bot token is tried before it is stored', async () => {
  const checks = buildConnectionChecks({ slackUrl: server.url, allowedPrivateHosts: [], timeoutMs: 500 });
  const check = (botToken: string) => checks.get('slack')?.('botToken', { botToken }, undefined);
  answer = says({ ok: true, team: 'Acme' });
  expect(await check('xoxb-secret-1')).toBeUndefined();
  expect(server.calls[0]?.url).toBe('/api/auth.test');
  answer = says({ ok: false, error: 'invalid_auth' });
  expect(await check('xoxb-secret-1')).toBe('Slack answered invalid_auth: Slack rejected the token.');
  expect(await check('two words')).toMatch(/^botToken: expected/);
  answer = () => undefined;
  expect(await check('xoxb-secret-1')).toBe('Slack did not answer in time');
});
