import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;
let without: OwnApi;

beforeAll(async () => {
  [own, without] = await Promise.all([
    startOwnApi({ PUBLIC_URL: 'https://perdure.example', HOST: '127.0.0.1' }),
    startOwnApi({ CONSOLE: 'off' }),
  ]);
}, 120_000);
afterAll(() => Promise.all([own?.dispose(), without?.dispose()]));

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Uses http.request, because fetch would decompress the body and follow redirects. */
function get({ url }: OwnApi, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const sent = request(new URL(path, url), { headers: { host: new URL(url).host, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.once('error', fail);
    sent.end();
  });
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('every path of the console is its page, with a policy and a nonce of its own, and is never kept', async () => {
  const nonces = new Set<string>();
  for (const path of ['/console/', '/console/executions', '/console/executions/some-id?tab=steps']) {
    const { status, headers, body } = await get(own, path, HTML);
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      cache: 'no-store',
    });
    const policy = String(headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).not.toMatch(/unsafe/);
    expect(policy).toContain("default-src 'none'");
    expect(body.toString()).toContain(`content="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test('its files come packed as the caller takes them, for a year where their name is of their content', async () => {
  const script = readdirSync(join(PROJECT_ROOT, 'dist/console/assets')).find((name) => /^index-.+\.js$/.test(name));
  const path = `/console/assets/${script}`;
  const kept = 'public, max-age=31536000, immutable';
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { status, headers } = await get(own, path, { 'accept-encoding': accepted });
    expect({ status, encoding: headers['content-encoding'], cache: headers['cache-control'] }).toEqual({
      ...{ status: 200, encoding, cache: kept },
    });
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  }
  expect((await get(own, '/console/assets/scheme.js')).headers['cache-control']).toBe('public, max-age=300');
});

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

const BUILT = join(PROJECT_ROOT, 'dist/console');
const FIRST_PAGE_BYTES = 270_000;
const LATER_PAGE_BYTES = 150_000;

/** Sums the bytes of files after gzip; small ones are not compressed. */
function weigh(files: Iterable<string>): number {
  const sizeOf = (file: string) => {
    const packed = join(BUILT, `${file}.gz`);
    return statSync(existsSync(packed) ? packed : join(BUILT, file)).size;
  };
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0);
}

/** Parts of pages that load separately but are shown immediately. The code editor loads when a field gets the focus. */
const SHOWN_AT_ONCE = {
  'features/executions/ExecutionPage.tsx': ['features/executions/ExecutionGraph.tsx', 'ui/graph/graphLayout.ts'],
  'features/workflows/WorkflowPage.tsx': ['features/workflows/DefinitionGraph.tsx', 'ui/graph/graphLayout.ts'],
  'features/editor/WorkflowEditorPage.tsx': [
    'features/editor/graph/EditorGraph.tsx',
    'features/editor/EditorForm.tsx',
    'ui/graph/graphLayout.ts',
  ],
};

test('the first page weighs at most 270 kB, each later page or part at most 150 kB more', () => {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8'));
  const filesOf = (name: string, seen = new Set<string>()): Set<string> => {
    const { file, css = [], imports = [] } = chunks[name] as Chunk;
    if (seen.has(file)) return seen;
    for (const each of [file, ...css]) seen.add(each);
    for (const each of imports) filesOf(each, seen);
    return seen;
  };
  const [entry = ''] = Object.keys(chunks).filter((name) => chunks[name]?.isEntry);
  const frame = filesOf(entry);
  const beyond = (name: string) => [...filesOf(name)].filter((file) => !frame.has(file));
  const first = weigh([...frame, ...beyond('features/home/HomePage.tsx')]);
  expect(first).toBeGreaterThan(100_000);
  expect(first).toBeLessThan(FIRST_PAGE_BYTES);
  const parts = Object.values(chunks).flatMap(({ dynamicImports = [] }) => dynamicImports);
  expect(parts).toContain('features/executions/ExecutionPage.tsx');
  const heavy = [...new Set(parts)]
    .map((name) => ({ name, bytes: weigh(beyond(name)) }))
    .filter(({ bytes }) => bytes > LATER_PAGE_BYTES);
  expect(heavy).toEqual([]);
  for (const [page, shown] of Object.entries(SHOWN_AT_ONCE)) {
    for (const part of shown) expect(parts).toContain(part);
    const bytes = weigh(new Set([page, ...shown].flatMap(beyond)));
    expect({ page, isHeavy: bytes > LATER_PAGE_BYTES }).toEqual({ page, isHeavy: false });
  }
});

test.each(['/console/assets/none.js', '/console/assets/..%2findex.html', '/console/package.json'])(
  'there is nothing at %s',
  async (path) => {
    expect((await get(own, path, HTML)).status).toBe(404);
  },
);

test('a browser at / is led to it, a program gets the problem that it got before', async () => {
  expect(await get(own, '/', HTML)).toMatchObject({ status: 302, headers: { location: '/console/' } });
  expect(await get(own, '/console')).toMatchObject({ status: 308, headers: { location: '/console/' } });
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    expect((await get(own, '/', headers as Record<string, string>)).status).toBe(404);
  }
});

test('CONSOLE=off leaves it out; links lead to it if there is no other client', async () => {
  for (const path of ['/', '/console', '/console/', '/console/assets/scheme.js']) {
    expect((await get(without, path, HTML)).status).toBe(404);
  }
  expect(without.services.config.CLIENT_URL).toBeUndefined();
  expect(own.services.config.CLIENT_URL).toBe('https://perdure.example/console');
});

test('links of answers lead to PUBLIC_URL whatever Host says; without one to the host that was called, and no forwarded one', async () => {
  const first = async (api: OwnApi) => {
    for (const name of ['first', 'second']) {
      const body = JSON.stringify({ name });
      const headers = { 'x-api-key': api.apiKey, 'content-type': 'application/json' };
      expect((await fetch(`${api.url}/api/projects`, { method: 'POST', headers, body })).status).toBe(201);
    }
    const headers = { host: 'evil.example', 'x-forwarded-host': 'worse.example', 'x-api-key': api.apiKey };
    const { headers: answered } = await get(api, '/api/projects?limit=1', headers);
    expect(answered['cache-control']).toBe('no-store');
    return new URL(/^<([^>]+)>; rel="next"$/.exec(String(answered.link))?.[1] ?? '').origin;
  };
  expect(await first(own)).toBe('https://perdure.example');
  // No cache may store such a response.
  expect(await first(without)).toBe('http://evil.example');
});
