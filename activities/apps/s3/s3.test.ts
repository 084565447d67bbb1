import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { outputProblems } from '../../../test/setup/api/outputProblems.ts';
import { loopback } from '../../../test/setup/providers/loopback.ts';
import { MOTO, type MotoServer, startMoto } from '../../../test/setup/providers/motoServer.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';
import { runExecutor } from '../runExecutor.ts';
import { S3 } from './manifest.ts';
import { buildS3 } from './objects.ts';

const SECRET = 'secret-key-1';
const SETTINGS = { allowedPrivateHosts: ['127.0.0.1'], maxOutputBytes: 10_000 };

function credentialsOf(endpoint: string): Record<string, string> {
  return { endpoint, region: 'us-east-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
}

async function run(
  actionId: string,
  inputs: JsonObject,
  credentials: Record<string, string>,
  { signal, ...settings }: Partial<typeof SETTINGS> & { signal?: AbortSignal } = {},
) {
  const executor = buildS3({ ...SETTINGS, ...settings })[actionId];
  const connection = { type: 'custom', credentials };
  const result = await runExecutor(executor as never, inputs, { connection, ...(signal ? { signal } : {}) });
  const manifest = S3.actions.find((each) => each.actionId === actionId);
  if (result.ok && manifest) expect(outputProblems(manifest, result.output)).toEqual([]);
  expect(JSON.stringify(result)).not.toContain(SECRET);
  return result;
}

(MOTO === undefined ? describe.skip : describe)('on a server of S3', () => {
  let server: MotoServer;
  const call = (actionId: string, inputs: JsonObject) =>
    run(actionId, { bucket: 'shop', ...inputs }, credentialsOf(server.url));
  const put = (key: string, body: Json, more: JsonObject = {}) => call('put', { key, body, ...more });

  beforeAll(async () => {
    server = await startMoto(MOTO ?? '');
    const made = await fetch(`${server.url}/shop`, { method: 'PUT' });
    expect(made.status).toBe(200);
  }, 120_000);
  afterAll(() => server?.stop());

  it('writes and reads JSON and texts', async () => {
    expect(await put('orders/17.json', { total: 42 })).toMatchObject({
      output: { key: 'orders/17.json', size: 12, etag: expect.stringMatching(/^"/) },
    });
    expect(await call('get', { key: 'orders/17.json' })).toMatchObject({
      output: { body: { total: 42 }, contentType: 'application/json', size: 12 },
    });
    expect(await call('get', { key: 'orders/17.json', format: 'text' })).toMatchObject({
      output: { body: '{"total":42}' },
    });
    await put('a b/Größe ✓.csv', 'sku,count\n', { contentType: 'text/csv' });
    expect(await call('get', { key: 'a b/Größe ✓.csv' })).toMatchObject({
      output: { body: 'sku,count\n', contentType: 'text/csv' },
    });
    expect(await call('get', { key: 'a b/Größe ✓.csv', format: 'json' })).toMatchObject({
      failure: { code: 'S3_NOT_JSON' },
    });
  });

  it('lists by prefix, as folders, after a key, and up to the limit', async () => {
    for (const key of ['l/1', 'l/2', 'l/3', 'l/x/4']) await put(key, key);
    const keysOf = async (inputs: JsonObject) => {
      const result = await call('list', { prefix: 'l/', ...inputs });
      if (!result.ok) throw new Error(JSON.stringify(result.failure));
      const { objects, prefixes, truncated } = result.output as {
        objects: { key: string }[];
        prefixes: string[];
        truncated: boolean;
      };
      return [objects.map(({ key }) => key), prefixes, truncated];
    };
    expect(await keysOf({})).toEqual([['l/1', 'l/2', 'l/3', 'l/x/4'], [], false]);
    expect(await keysOf({ delimiter: '/' })).toEqual([['l/1', 'l/2', 'l/3'], ['l/x/'], false]);
    expect(await keysOf({ after: 'l/1', limit: 2 })).toEqual([['l/2', 'l/3'], [], true]);
    expect(await keysOf({ prefix: 'none/' })).toEqual([[], [], false]);
  });

  it('deletes, also what is not there', async () => {
    await put('gone', 'x');
    expect(await call('delete', { key: 'gone' })).toEqual({ ok: true, output: { key: 'gone' } });
    expect(await call('delete', { key: 'gone' })).toEqual({ ok: true, output: { key: 'gone' } });
    expect(await call('get', { key: 'gone' })).toMatchObject({ failure: { code: 'S3_NO_SUCH_KEY', retryable: false } });
  });

  it('fails with the name of the error', async () => {
    expect(await call('get', { bucket: 'nobodys', key: 'x' })).toMatchObject({
      failure: { code: 'S3_NO_SUCH_BUCKET' },
    });
  });

  it('reads and writes within the limit, and only texts', async () => {
    const large = await put('large', 'x'.repeat(10_001));
    expect(large).toMatchObject({ failure: { code: 'S3_TOO_LARGE' } });
    await fetch(`${server.url}/shop/large`, { method: 'PUT', body: 'x'.repeat(20_000) });
    expect(await call('get', { key: 'large' })).toMatchObject({ failure: { code: 'S3_TOO_LARGE', retryable: false } });
    await fetch(`${server.url}/shop/image`, { method: 'PUT', body: Buffer.from([0xff, 0xfe, 0x00]) });
    expect(await call('get', { key: 'image' })).toMatchObject({ failure: { code: 'S3_NOT_TEXT' } });
  });

  it('tries credentials before they are stored', async () => {
    const check = buildConnectionChecks({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 5_000 }).get('s3');
    expect(await check?.('custom', credentialsOf(server.url))).toBeUndefined();
  });
});

describe('a store', () => {
  it.each<[Record<string, string>, string]>([
    [{ endpoint: 'ftp://x' }, 'connection: endpoint: expected an http or https address without a path'],
    [{ endpoint: 'https://x/path' }, 'connection: endpoint: expected an http or https address without a path'],
    [{ region: 'a.evil.example/#' }, 'connection: region: expected a name such as eu-central-1'],
    [{ accessKeyId: 'a b' }, 'connection: accessKeyId: expected letters'],
  ])('with unusable credentials is not asked: %j', async (more, message) => {
    const result = await run(
      'delete',
      { bucket: 'shop', key: 'x' },
      { ...credentialsOf('http://127.0.0.1:1'), ...more },
    );
    expect(result).toMatchObject({ failure: { code: 'INVALID_INPUT', message: expect.stringContaining(message) } });
  });

  it('is not another one because of the name of a bucket', async () => {
    const bucket = 'arn:aws:s3:us-west-2:123456789012:accesspoint/mine';
    const result = await run('delete', { bucket, key: 'x' }, credentialsOf('http://127.0.0.1:1'));
    expect(result).toMatchObject({ failure: { message: 'bucket: expected the name of a bucket' } });
  });

  it('in a private network is refused', async () => {
    const { url, calls } = await loopback();
    const result = await run('delete', { bucket: 'shop', key: 'x' }, credentialsOf(url), { allowedPrivateHosts: [] });
    expect(result).toMatchObject({ failure: { code: 'S3_REFUSED_ADDRESS', retryable: false } });
    expect(calls).toEqual([]);
  });

  it.each([
    [403, 'AccessDenied', 'S3_ACCESS_DENIED', false],
    [403, 'SignatureDoesNotMatch', 'S3_SIGNATURE_DOES_NOT_MATCH', false],
    [503, 'SlowDown', 'S3_SLOW_DOWN', true],
    [500, 'InternalError', 'S3_INTERNAL_ERROR', true],
  ])('that answers %i %s fails the step with %s, once', async (status, name, code, retryable) => {
    const { url, calls } = await loopback((_, response) =>
      response.writeHead(status).end(`<Error><Code>${name}</Code><Message>${SECRET}</Message></Error>`),
    );
    const result = await run('delete', { bucket: 'shop', key: 'x' }, credentialsOf(url));
    expect(result).toMatchObject({ failure: { code, retryable } });
    expect(calls).toHaveLength(1);
    // Signed with the key, which is not sent.
    expect(calls[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
  });

  it('that sends without end, or nothing that S3 would send, harms nobody', async () => {
    const endless = await loopback((_, response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      const more = () => {
        while (response.write('<'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const inputs = { bucket: 'shop', prefix: '' };
    expect(await run('list', inputs, credentialsOf(endless.url))).toMatchObject({ failure: { code: 'S3_TOO_LARGE' } });
    const odd = await loopback((_, response) => response.writeHead(200).end('<html>'));
    expect(await run('list', inputs, credentialsOf(odd.url))).toMatchObject({ ok: false });
  });

  it('is left with the step', async () => {
    const ending = new AbortController();
    const { url } = await loopback(() => ending.abort(new Error('cancelled')));
    const asked = run('get', { bucket: 'shop', key: 'x' }, credentialsOf(url), { signal: ending.signal });
    await expect(asked).rejects.toThrow('cancelled');
  });
});
