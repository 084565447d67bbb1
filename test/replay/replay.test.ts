import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { HISTORIES, KINDS } from './kinds.ts';

const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

async function* recorded() {
  for (const name of (await readdir(HISTORIES)).sort()) {
    const history = JSON.parse(await readFile(join(HISTORIES, name), 'utf8'));
    yield { workflowId: name.replace('.json', ''), history };
  }
}

test('every recorded history replays with the present workflows', async () => {
  // From the sources, so that what is replayed is what stands here, built or not.
  const source = (name: string) => fileURLToPath(new URL(`../../temporal-workflows/${name}.ts`, import.meta.url));
  const { code } = await bundleWorkflowCode({
    workflowsPath: source('index'),
    workflowInterceptorModules: [source('interceptors')],
    logger: silent,
  });
  const replayed: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, recorded())) {
    if (error) throw new Error(`${workflowId}: ${error.message}`, { cause: error });
    replayed.push(workflowId);
  }
  expect(replayed).toEqual(expect.arrayContaining([...KINDS]));
});

test('histories tell nothing of the machine that recorded them', async () => {
  for await (const { history } of recorded()) {
    const text = JSON.stringify(history);
    expect(text).not.toContain(`"identity":"${process.pid}`);
    expect(text).not.toContain(`@${hostname()}`);
    expect(text).not.toMatch(/"identity":"(?!recorded")/);
    expect(text).not.toMatch(/"stackTrace":"(?!")/);
  }
});
