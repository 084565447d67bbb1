import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkFields } from '../../../domain/fieldDeclaration.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { outputProblems } from '../../../test/setup/api/outputProblems.ts';
import type { CallConnection } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { gitHubAddresses } from './addresses.ts';
import { refusal } from './askGitHub.ts';
import { buildGitHub } from './issues.ts';
import { gitHub } from './manifest.ts';

const MANIFEST = gitHub();

it.each([
  [undefined, 'https://api.github.com', 'https://github.com/login/oauth/authorize'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com', 'https://acme.ghe.com/login/oauth/authorize'],
  [
    'https://git.acme.example:8443/',
    'https://git.acme.example:8443/api/v3',
    'https://git.acme.example:8443/login/oauth/authorize',
  ],
])('the addresses of %s', (url, api, authorizationUrl) => {
  expect(gitHubAddresses(url)).toMatchObject({ api, authorizationUrl });
});

interface Seen {
  method: string;
  url: URL;
  body: JsonObject | undefined;
  headers: IncomingMessage['headers'];
}
let seen: Seen[] = [];
let answer: (request: Seen, response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const one = {
    method: request.method ?? '',
    url: new URL(request.url ?? '', 'http://localhost'),
    body: text === '' ? undefined : JSON.parse(text),
    headers: request.headers,
  };
  seen.push(one);
  answer(one, response);
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen = [];
});

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: Seen, response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));

const issue = (number: number, more: object = {}) => ({
  number,
  title: `Issue ${number}`,
  body: null,
  state: 'open',
  labels: [{ id: 1, name: 'bug', color: 'f00' }],
  assignees: [{ login: 'ada', id: 2 }],
  user: { login: 'grace', id: 3 },
  html_url: `https://github.com/acme/shop/issues/${number}`,
  created_at: '2026-11-21T10:15:30Z',
  updated_at: '2026-11-21T10:15:31Z',
  ...more,
});
const SHOWN = {
  ...{ number: 17, title: 'Issue 17', body: '', state: 'open', labels: ['bug'], assignees: ['ada'], author: 'grace' },
  url: 'https://github.com/acme/shop/issues/17',
  ...{ createdAt: '2026-11-21T10:15:30Z', updatedAt: '2026-11-21T10:15:31Z' },
};

async function call(
  actionId: string,
  inputs: JsonObject,
  connection: CallConnection = { type: 'token', credentials: { apiKey: 'ghp_x' } },
) {
  const settings = { gitHubUrl: url, allowedPrivateHosts: [], maxResponseBytes: 1_000_000 };
  const executor = buildGitHub(settings)[actionId];
  if (!executor) throw new Error(`no ${actionId}`);
  const result = await runExecutor(executor, { owner: 'acme', repo: 'shop', ...inputs }, { connection });
  const manifest = MANIFEST.actions.find((each) => each.actionId === actionId);
  if (result.ok && manifest) expect(outputProblems(manifest, result.output)).toEqual([]);
  return result;
}

it('declares valid fields, and the actions of its executors', () => {
  const settings = { allowedPrivateHosts: [], maxResponseBytes: 1 };
  expect(Object.keys(buildGitHub(settings)).sort()).toEqual(MANIFEST.actions.map(({ actionId }) => actionId).sort());
  for (const { inputConfig } of MANIFEST.actions)
    expect(checkFields(inputConfig.fields, 'fields', 'ofApp')).toEqual([]);
});

describe('issues', () => {
  it('are opened with the given fields, and the token is sent', async () => {
    answer = says(201, issue(17));
    const result = await call('createIssue', { title: 'Empty', labels: ['bug'] });
    expect(result).toEqual({ ok: true, output: SHOWN });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: expect.objectContaining({ pathname: '/api/v3/repos/acme/shop/issues' }),
        body: { title: 'Empty', body: '', labels: ['bug'] },
        headers: {
          authorization: 'Bearer ghp_x',
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
        },
      },
    ]);
  });

  it('are changed only in the given fields', async () => {
    answer = says(200, issue(17, { state: 'closed' }));
    const result = await call('updateIssue', { number: 17, state: 'closed', labels: [] });
    expect(result).toEqual({ ok: true, output: { ...SHOWN, state: 'closed' } });
    expect(seen[0]).toMatchObject({ method: 'PATCH', body: { state: 'closed', labels: [] } });
    expect(Object.keys(seen[0]?.body ?? {}).sort()).toEqual(['labels', 'state']);
  });

  it('are commented on', async () => {
    answer = says(201, {
      id: 4711,
      html_url: 'https://github.com/c',
      created_at: '2026-11-21T10:15:30Z',
      node_id: 'x',
    });
    expect(await call('comment', { number: 17, body: 'Done.' })).toEqual({
      ok: true,
      output: { id: 4711, url: 'https://github.com/c', createdAt: '2026-11-21T10:15:30Z' },
    });
    expect(seen[0]?.url.pathname).toBe('/api/v3/repos/acme/shop/issues/17/comments');
  });

  it('are listed page by page, without pull requests, up to the limit', async () => {
    answer = ({ url: asked }, response) => {
      const page = Number(asked.searchParams.get('page'));
      const all = Array.from({ length: 100 }, (_, index) => issue((page - 1) * 100 + index + 1));
      const page3 = page === 3;
      const rows = page3
        ? all.slice(0, 30)
        : all.map((each) => (each.number % 2 === 0 ? { ...each, pull_request: {} } : each));
      const link: Record<string, string> = page3
        ? {}
        : { link: `<${url}/x?page=${page + 1}>; rel="next", <${url}/x?page=3>; rel="last"` };
      says(200, rows, link)(seen[0] as Seen, response);
    };
    const found = async (most: number) => {
      const result = await call('listIssues', { most, labels: ['bug', 'ui'], since: '2026-01-01T00:00:00Z' });
      if (!result.ok) throw new Error(result.failure.message);
      const { issues, hasMore } = result.output as { issues: { number: number }[]; hasMore: boolean };
      return [issues.length, issues.at(-1)?.number, hasMore];
    };
    expect(await found(1_000)).toEqual([130, 230, false]);
    expect(seen.map((each) => each.url.search)).toEqual(
      [1, 2, 3].map((page) => expect.stringContaining(`labels=bug%2Cui&since=2026-01-01T00%3A00%3A00Z&page=${page}`)),
    );
    expect(await found(60)).toEqual([60, 119, true]);
    expect(await found(50)).toEqual([50, 99, true]);
    expect(await found(130)).toEqual([130, 230, false]);
  });

  it.each<JsonObject>([{ owner: '../x' }, { owner: 'a/b' }, { repo: '..' }, { repo: 'shop?x' }])(
    'of a name that is a way elsewhere are refused: %j',
    async (inputs) => {
      const result = await call('listIssues', inputs);
      expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT' } });
      expect(seen).toEqual([]);
    },
  );
});

describe('a refusal of GitHub', () => {
  it.each([
    [404, { message: 'Not Found' }, {}, { code: 'GITHUB_NOT_FOUND', retryable: false }],
    [
      403,
      { message: 'Resource not accessible' },
      { 'x-ratelimit-remaining': '4000' },
      { code: 'GITHUB_FORBIDDEN', retryable: false },
    ],
    [
      403,
      { message: 'API rate limit exceeded' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1060' },
      { code: 'GITHUB_RATE_LIMITED', retryable: true, retryAfterMs: 60_000 },
    ],
    [
      403,
      { message: 'secondary rate limit' },
      { 'retry-after': '7' },
      { code: 'GITHUB_RATE_LIMITED', retryable: true, retryAfterMs: 7_000 },
    ],
    [429, {}, {}, { code: 'GITHUB_RATE_LIMITED', retryable: true }],
    [
      422,
      { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing' }] },
      {},
      {
        code: 'GITHUB_INVALID',
        retryable: false,
        details: { status: 422, message: 'Validation Failed', errors: [{ field: 'title', code: 'missing' }] },
      },
    ],
    [502, '<html>', {}, { code: 'GITHUB_UNAVAILABLE', retryable: true }],
    [409, { message: 'Conflict' }, {}, { code: 'GITHUB_REFUSED', retryable: false }],
  ])('%i %j %j', (status, body, headers, failure) => {
    expect(refusal(status, headers, body, 1_000_000)).toMatchObject({ ok: false, failure });
  });

  it('fails the step with its message, and so does an unexpected answer', async () => {
    answer = says(404, { message: 'Not Found' });
    expect(await call('comment', { number: 1, body: 'x' })).toMatchObject({
      failure: { code: 'GITHUB_NOT_FOUND', details: { status: 404, message: 'Not Found' } },
    });
    answer = says(200, { hello: true });
    expect(await call('updateIssue', { number: 1 })).toMatchObject({ failure: { code: 'GITHUB_UNCLEAR' } });
    answer = (_, response) => response.destroy();
    expect(await call('updateIssue', { number: 1 })).toMatchObject({
      failure: { code: 'HTTP_CONNECTION_FAILED', retryable: true },
    });
  });

  it('an access token that is refused is renewed once, and the request sent again', async () => {
    answer = ({ headers }, response) =>
      headers.authorization === 'Bearer new'
        ? says(200, issue(17))(seen[0] as Seen, response)
        : says(401, { message: 'Bad credentials' })(seen[0] as Seen, response);
    const connection: CallConnection = { type: 'oauth2', credentials: { accessToken: 'old' } };
    connection.renew = async () => {
      connection.credentials = { accessToken: 'new' };
      return undefined;
    };
    expect(await call('updateIssue', { number: 17 }, connection)).toEqual({ ok: true, output: SHOWN });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });
});

it('a token is never sent to another host', async () => {
  const elsewhere: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(request.headers.authorization);
    says(200, issue(17))(seen[0] as Seen, response);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  answer = (_, response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/x` }).end();
  await call('updateIssue', { number: 17 });
  expect(elsewhere.every((each) => each === undefined)).toBe(true);
  await new Promise((resolve) => other.close(resolve));
});
