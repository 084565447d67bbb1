import { expect, test } from '@jest/globals';
import { MOTO, startMoto } from '../setup/providers/motoServer.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const optionsOf = (key: string, action: string, body: object) =>
  call('POST', `/api/workflow-apps/${action}/options`, { key, body });
const placesOf = ({ body }: { body: { errors?: { path: string }[] } }) => body.errors?.map(({ path }) => path);

async function connectStore(key: string, endpoint: string): Promise<string> {
  const credentials = { endpoint, region: 'us-east-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-key-1' };
  const made = await call('POST', '/api/workflow-apps/s3/connections/custom/connect', { key, body: { credentials } });
  expect(made.body).toMatchObject({ status: 'connected' });
  return made.body.id;
}

(MOTO === undefined ? test.skip : test)('the buckets of the account are loaded through its connection', async () => {
  const store = await startMoto(MOTO ?? '');
  try {
    for (const bucket of ['invoices', 'orders']) await fetch(`${store.url}/${bucket}`, { method: 'PUT' });
    const { apiKey: key } = await makeWorkspace();
    const connectionId = await connectStore(key, store.url);
    const all = ['invoices', 'orders'].map((name) => ({ value: name, label: name }));
    expect(await optionsOf(key, 's3/actions/get', { field: 'bucket' })).toMatchObject({
      status: 200,
      body: { options: all },
    });
    const found = await optionsOf(key, 's3/actions/list', { field: 'bucket', connectionId, search: 'ord' });
    expect(found.body).toEqual({ options: [{ value: 'orders', label: 'orders' }] });

    // The connection is not usable by another workspace, nor for another app.
    const { apiKey: stranger } = await makeWorkspace();
    const refused = await optionsOf(stranger, 's3/actions/get', { field: 'bucket', connectionId });
    expect([refused.status, placesOf(refused)]).toEqual([400, ['connectionId']]);
    const other = await optionsOf(key, 'slack/actions/postMessage', { field: 'channel', connectionId });
    expect([other.status, placesOf(other)]).toEqual([400, ['connectionId']]);

    await store.stop();
    const gone = await optionsOf(key, 's3/actions/get', { field: 'bucket' });
    expect(gone).toMatchObject({ status: 502, body: { code: 'OPTIONS_FAILED', reason: 'S3_CONNECTION_FAILED' } });
    expect(JSON.stringify(gone.body)).not.toContain('secret-key-1');
  } finally {
    await store.stop();
  }
});

test('a field without options, and missing values, are refused with their place', async () => {
  const { apiKey: key } = await makeWorkspace();
  const refusals: [string, object, number, string[] | undefined][] = [
    ['s3/actions/nothing', { field: 'bucket' }, 404, undefined],
    ['nothing/actions/get', { field: 'bucket' }, 404, undefined],
    ['s3/actions/get', { field: 'key' }, 400, ['field']],
    ['s3/actions/get', { field: 'nothing' }, 400, ['field']],
    ['github/actions/createIssue', { field: 'repo', inputs: {} }, 400, ['inputs.owner']],
    ['github/actions/createIssue', { field: 'repo', inputs: { owner: '' } }, 400, ['inputs.owner']],
    ['s3/actions/get', { field: 'bucket' }, 400, ['connectionId']],
    ['s3/actions/get', { field: 'bucket', search: 'x'.repeat(201) }, 400, ['search']],
  ];
  for (const [action, body, status, places] of refusals) {
    const answer = await optionsOf(key, action, body);
    expect([action, answer.status, placesOf(answer)]).toEqual([action, status, places]);
  }
});
