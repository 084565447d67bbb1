import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { isLoaded } from '../../domain/field.ts';
import { loopback, type SeenCall } from '../../test/setup/providers/loopback.ts';
import { buildCatalogue } from './catalogue.ts';
import { optionLoaderTable } from './optionLoaders.ts';

const SETTINGS = { allowedPrivateHosts: [], maxResponseBytes: 100_000 };

function load(
  loader: string,
  url: string,
  more: { inputs?: Record<string, string>; search?: string; cursor?: string } = {},
) {
  const run = optionLoaderTable({ ...SETTINGS, gitHubUrl: url, slackUrl: url }).get(loader);
  const credentials = { apiKey: 'ghp_x', botToken: 'xoxb-secret-1' };
  const type = loader.startsWith('slack.') ? 'botToken' : 'token';
  return run?.({
    ...{ workspaceId: 'w', inputs: {}, search: '', signal: new AbortController().signal, ...more },
    connection: { type, credentials },
  });
}

const says = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

it('every field with loaded options has a loader, and every loader such a field', () => {
  const loaders = [...optionLoaderTable(SETTINGS).keys()];
  const apps = [...buildCatalogue({ testing: true }).values()];
  const fields = apps.flatMap(({ appId, actions }) =>
    actions.flatMap(({ inputConfig }) =>
      inputConfig.fields.filter(({ options }) => isLoaded(options)).map(({ key }) => `${appId}.*.${key}`),
    ),
  );
  expect([...new Set(fields)].sort()).toEqual(loaders.sort());
});

it('repositories of GitHub are searched below their owner, page by page', async () => {
  const { url, calls } = await loopback(({ url: asked }, response) => {
    const link: Record<string, string> = asked.includes('&page=1') ? { link: '<x>; rel="next"' } : {};
    says(response, { total_count: 2, items: [{ name: 'shop', owner: { login: 'acme' } }] }, link);
  });
  const shop = [{ value: 'shop', label: 'shop' }];
  expect(await load('github.*.repo', url, { inputs: { owner: 'acme' } })).toEqual({
    ok: true,
    options: shop,
    cursor: '2',
  });
  const second = await load('github.*.repo', url, { inputs: { owner: 'acme' }, search: 'sh user:other', cursor: '2' });
  expect(second).toEqual({ ok: true, options: shop });
  const queries = calls.map(({ url: asked }) => new URL(asked, url).searchParams.get('q'));
  expect(queries).toEqual(['user:acme fork:true', 'sh user other in:name user:acme fork:true']);
  expect(await load('github.*.repo', url, { inputs: { owner: 'a user:b' } })).toMatchObject({
    failure: { code: 'INVALID_INPUT' },
  });
});

it('channels of Slack are read as a form, without private ones if the scope is missing', async () => {
  const given = ({ body }: SeenCall) => Object.fromEntries(new URLSearchParams(body));
  const { url, calls } = await loopback((call, response) => {
    const { types, cursor } = given(call);
    if (types !== 'public_channel') return void says(response, { ok: false, error: 'missing_scope' });
    const [channels, next_cursor] =
      cursor === undefined
        ? [[{ id: 'C1', name: 'general' }], 'page2']
        : [[{ id: 'C2', name: 'orders', is_private: true }], ''];
    says(response, { ok: true, channels, response_metadata: { next_cursor } });
  });
  expect(await load('slack.*.channel', url)).toEqual({
    ...{ ok: true, options: [{ value: 'C1', label: '#general' }], cursor: 'page2' },
  });
  expect(calls.map(({ headers }) => headers['content-type'])).toEqual(
    Array(2).fill('application/x-www-form-urlencoded'),
  );
  // A search continues until a page has something.
  expect(await load('slack.*.channel', url, { search: '#ORD' })).toEqual({
    ...{ ok: true, options: [{ value: 'C2', label: '#orders (private)' }] },
  });
});

it('a service that refuses says why, without the token', async () => {
  const { url } = await loopback((_, response) => says(response, { ok: false, error: 'invalid_auth' }));
  const refused = await load('slack.*.channel', url);
  expect(refused).toMatchObject({ ok: false, failure: { code: 'SLACK_INVALID_AUTH' } });
  expect(JSON.stringify(refused)).not.toContain('xoxb-secret-1');
});
