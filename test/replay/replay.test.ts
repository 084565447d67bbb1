import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { asOneModule } from '../../worker/bundle.ts';
import { HISTORIES, historyFile, KINDS } from './kinds.ts';

const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

async function* recorded() {
  for (const name of (await readdir(HISTORIES, { recursive: true })).sort()) {
    if (!name.endsWith('.json')) continue;
    const history = JSON.parse(await readFile(join(HISTORIES, name), 'utf8'));
    yield { workflowId: name, history };
  }
}

/** Bundles the sources, so that the current code is replayed, built or not. */
async function bundled(interceptors = ['interceptors']): Promise<string> {
  const source = (name: string) => fileURLToPath(new URL(`../../temporal-workflows/${name}.ts`, import.meta.url));
  const { code } = await bundleWorkflowCode({
    workflowsPath: source('index'),
    workflowInterceptorModules: interceptors.map(source),
    webpackConfigHook: asOneModule,
    logger: silent,
  });
  return code;
}

test('every recorded history replays with the present workflows', async () => {
  const code = await bundled();
  const replayed: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, recorded())) {
    if (error) throw new Error(`${workflowId}: ${error.message}`, { cause: error });
    replayed.push(workflowId);
  }
  expect(replayed).toEqual(expect.arrayContaining(KINDS.map(historyFile)));
});

/** Ends with the server of its `perdure test`, so no other build ever sees it. */
const IN_TESTS_ALONE = 'caseTimer';

test('every workflow has a recorded history, the one of a single node for attempts and for a loop', async () => {
  const index = await readFile(fileURLToPath(new URL('../../temporal-workflows/index.ts', import.meta.url)), 'utf8');
  const workflows = [...index.matchAll(/^export \{ (\w+) \} from/gm)].map(([, name]) => name);
  const startedOf = new Map<string, { workflowType: { name: string }; input: { payloads: { data: string }[] } }>();
  for await (const { workflowId, history } of recorded()) {
    startedOf.set(workflowId, history.events[0].workflowExecutionStartedEventAttributes);
  }
  const types = new Set([...startedOf.values()].map(({ workflowType }) => workflowType.name));
  expect(workflows.length).toBeGreaterThan(5);
  expect([...types].toSorted()).toEqual(workflows.filter((name) => name !== IN_TESTS_ALONE).toSorted());
  // The interpreter passes a node on like this if its execution has no room for attempts (nodePart.ts).
  const causes = { attemptsElsewhere: 'retry', loopElsewhere: 'iterate' } as const;
  for (const [kind, cause] of Object.entries(causes)) {
    const started = startedOf.get(`${kind}.json`);
    expect(started?.workflowType.name).toBe('runPart');
    const [payload] = started?.input.payloads ?? [];
    expect(JSON.parse(Buffer.from(String(payload?.data), 'base64').toString())).toMatchObject({ next: { cause } });
  }
});

test('events that came one by one give the same commands when a replay delivers them together', async () => {
  // History of an execution that was killed repeatedly; sequencer.ts explains its replay.
  const history = JSON.parse(await readFile(join(HISTORIES, 'arrivedTogether.json'), 'utf8'));
  const replay = async (code: string) => Worker.runReplayHistory({ workflowBundle: { code } }, history);
  await replay(await bundled());
  await expect(replay(await bundled([]))).rejects.toThrow('Nondeterminism');
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
