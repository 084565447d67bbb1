import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { jsonClient } from '../jsonClient.ts';
import { startStack } from '../stack.ts';
import { withPage } from './browser.ts';
import { HANDLE_ORDER } from './handleOrder.ts';

// `npm run picture` saves a screenshot of a waiting order in the Temporal UI. Needs Debian's `chromium`.

const SIZE = { width: 1400, height: 1080 };
/** The UI draws and measures again after its data has arrived. */
const DRAWN_MS = 3_000;

const folder = await mkdtemp(join(tmpdir(), 'perdure-picture-'));
const stack = await startStack(folder);
try {
  const { url, apiKey, projectId, temporalUiUrl } = stack.credentials;
  const client = jsonClient(url, { 'x-api-key': apiKey });
  const upserted = await client.call('POST', `/api/projects/${projectId}/workflows/upsert`, HANDLE_ORDER);
  const started = await client.call('POST', `/api/executions/workflows/${upserted.body.id}/execute`, {});
  const { executionId } = started.body;
  for (let isThere = false; !isThere; await sleep(200)) {
    const { body } = await client.call('GET', `/api/executions/${executionId}?expansion=executionPath`);
    const statuses = body.executionPath.map(({ status }: { status: string }) => status);
    isThere = ['NEEDS_INPUT', 'RETRYING', 'RUNNING'].every((status) => statuses.includes(status));
  }
  await client.close();
  const page = `${temporalUiUrl}/namespaces/default/workflows/${executionId}`;
  const png = await withPage(page, SIZE, async ({ untilShown, picture }) => {
    await untilShown('Charge card');
    await untilShown('Approve large order');
    await sleep(DRAWN_MS);
    return picture();
  });
  await writeFile(join(PROJECT_ROOT, 'docs/temporal-ui.png'), png);
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
