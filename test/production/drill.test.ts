import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { countEffects } from '../chaos/effects.ts';
import { judge } from '../chaos/judgement.ts';
import { accompany, deploy, type Life, live, lives, type World } from '../chaos/life.ts';
import { SUB_WORKFLOWS } from '../model/subWorkflows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { inject } from '../setup/stack/inject.ts';
import type { Stack } from '../setup/stack/ownStack.ts';
import { action, chain, manual, question } from '../setup/workspace/graph.ts';
import { type Home, homeOn } from '../setup/workspace/home.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { environmentOf, parseCompose, readComposeText, type Service } from './composeFile.ts';
import { openWork } from './openWork.ts';
import { ownLayout } from './ownLayout.ts';
import type { Job } from './productionFacts.ts';
import { runJob } from './productionStack.ts';
import { findServerTools } from './serverTools.ts';
import { startTemporalServer } from './temporalServer.ts';

// A backup under load is restored into empty databases. Everything accepted before the end of the backup ends there.

const run = promisify(execFile);
const { api: environment, main, jobs, temporal } = inject('production');
/** As `docker compose run … save`, in the laid-out image. */
const save = environmentOf(parseCompose(readComposeText()).services.save as Service, {
  POSTGRES_PASSWORD: 'of the server below',
  ENCRYPTION_KEY: environment.ENCRYPTION_KEY as string,
});
const ADMIN = join(dirname(main.api), 'admin/main.js');
const EXECUTIONS = Number(process.env.DRILL_EXECUTIONS ?? 40);
const SEED = Number(process.env.DRILL_SEED ?? randomInt(2 ** 31));
/** Executions start during this time; the backup begins in the middle of it. */
const LOAD_MS = 12_000;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
const DRILL_MS = 600_000;

const none = () => ({ repeats: 0 });

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const databaseUrl = (name: string) =>
  Object.assign(new URL(process.env.DATABASE_URL as string), { pathname: `/${name}` }).href;

interface Databases {
  perdure: string;
  temporal: string;
  visibility: string;
}

async function admin(databases: Databases, ...args: string[]) {
  const env = {
    ...save,
    PATH: `${process.env.PERDURE_TEST_POSTGRES_BIN}:${process.env.PATH}`,
    DATABASE_URL: databaseUrl(databases.perdure),
    TEMPORAL_DATABASE_URL: databaseUrl(databases.temporal),
    TEMPORAL_VISIBILITY_DATABASE_URL: databaseUrl(databases.visibility),
  };
  const startedAt = Date.now();
  const { stdout } = await run(process.execPath, [ADMIN, ...args], { env });
  return { answer: JSON.parse(stdout), tookMs: Date.now() - startedAt };
}

function worldOf(home: Home, signal: AbortSignal): World {
  return { home, signal, temporal: undefined as never, starts: none(), inputs: none(), streams: none() };
}

test(
  `executions accepted before a backup under load end where it is restored: ${EXECUTIONS} executions`,
  async () => {
    console.log(`drill: DRILL_SEED=${SEED} DRILL_EXECUTIONS=${EXECUTIONS}`);
    const suffix = randomBytes(6).toString('hex');
    const target = { perdure: `p_${suffix}`, temporal: `t_${suffix}`, visibility: `v_${suffix}` };
    for (const name of Object.values(target))
      onTestFinished(() => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    const layout = ownLayout();
    onTestFinished(() => layout.dispose());
    const over = new AbortController();
    onTestFinished(() => over.abort());
    setMaxListeners(0, over.signal);
    const effects = await countEffects();
    const { url, ...credentials } = await makeWorkspace();
    const before = homeOn({ credentials, url } as unknown as Stack);
    const world = worldOf(before, over.signal);
    const drawn = fc
      .sample(lives({ effectsUrl: effects.url }), { numRuns: EXECUTIONS, seed: SEED })
      .map((life): Life => ({ ...life, again: false }));
    for (const graph of SUB_WORKFLOWS) await before.deploy(graph);
    const workflowIds: string[] = [];
    for (const life of drawn) workflowIds.push(await deploy(world, life));
    const asks = await before.deploy({
      trigger: manual(),
      nodes: [question('ask'), action('after', 'core.transform', { value: 1 })],
      edges: chain('ask', 'after'),
    });
    const asked = await before.execute(asks);
    await before.asked(asked, 'ask');
    const open = await openWork(before);

    // The restored deployment does not know what this load does after the backup.
    const accepted = new Map<string, { life: Life; at: number }>();
    const load = Promise.allSettled(
      drawn.map(async (life, index) => {
        await sleep(life.at * LOAD_MS, undefined, { signal: over.signal });
        await live(world, life, workflowIds[index] as string, (id) => void accepted.set(id, { life, at: Date.now() }));
      }),
    );
    await sleep(LOAD_MS / 4);
    const source: Databases = {
      perdure: new URL(environment.DATABASE_URL as string).pathname.slice(1),
      temporal: temporal.DBNAME as string,
      visibility: temporal.VISIBILITY_DBNAME as string,
    };
    const folder = join(layout.folder, 'backup');
    const saved = await admin(source, 'backup', '--to', folder);
    const known = new Map([...accepted].filter(([, { at }]) => at < Date.parse(saved.answer.perdureAt)));
    const callsBefore = effects.calls();
    await load;
    const callsMeanwhile = effects.calls() - callsBefore;

    for (const name of Object.values(target)) await onServer(`CREATE DATABASE ${name}`);
    const report = join(layout.folder, 'may-repeat.jsonl');
    const restored = await admin(target, 'restore', '--from', folder, '--report', report);
    const lines = readFileSync(report, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const listed = new Set(lines.map(({ id, executionId }) => executionId ?? id));
    for (const [kind, id] of Object.entries(open.reported)) {
      expect(lines).toContainEqual(expect.objectContaining({ kind, id }));
    }
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'eventDeliveries' }));

    const startedAt = Date.now();
    // As in `docker compose up` on restored data: the schema exists and stays.
    const { command, environment: ofJob } = jobs.schema as Job;
    await runJob({ command, environment: { ...ofJob, DBNAME: target.temporal, VISIBILITY_DBNAME: target.visibility } });
    const server = await startTemporalServer({
      tools: await findServerTools(layout.say),
      folder: join(layout.folder, 'temporal'),
      logFile: join(layout.folder, 'temporal.log'),
      environment: { ...temporal, DBNAME: target.temporal, VISIBILITY_DBNAME: target.visibility },
      say: layout.say,
    });
    layout.add(server.child);
    const own = { ...environment, DATABASE_URL: databaseUrl(target.perdure), TEMPORAL_ADDRESS: server.address };
    const [{ url: restoredUrl }] = await Promise.all([
      layout.startApi(own),
      layout.startWorker(own),
      layout.startWorker(own),
    ]);
    const after = homeOn({ credentials, url: restoredUrl } as unknown as Stack);
    const startMs = Date.now() - startedAt;

    const callsFrom = effects.seen().length;
    const counts: Record<string, number> = {};
    const there = worldOf(after, over.signal);
    await Promise.all([
      open.goesOn(after),
      ...[...known].map(async ([executionId, { life }]) => {
        const { submitted } = await accompany(there, life, executionId);
        const execution = await after.read(executionId, 'id');
        expect(ENDED).toContain(execution.status);
        const judged = () => judge(life, { executionId, submitted }, execution, effects);
        try {
          judged();
        } catch (error) {
          throw new Error(
            `${executionId}: ${(error as Error).message}\n${JSON.stringify({ graph: life.random.graph, execution }, null, 1)}`,
          );
        }
        counts[execution.status] = (counts[execution.status] ?? 0) + 1;
      }),
    ]);
    const endedMs = Date.now() - startedAt - startMs;
    // This question is older than the backup.
    expect((await after.submit(asked, 'ask', { answer: 'here' })).status).toBe(200);
    expect((await after.ended(asked)).status).toBe('COMPLETED');

    // Only executions that the report names may have repeated calls.
    const [first, second] = [effects.seen().slice(0, callsFrom), effects.seen().slice(callsFrom)];
    const repeated = [...new Set(second)].filter((path) => first.includes(path));
    const roots = new Set([...known.keys()]);
    const unlisted = repeated
      .map((path) => path.split('/')[1] as string)
      .filter((id) => roots.has(id) && !listed.has(id));
    expect(unlisted).toEqual([]);
    expect(known.size).toBeGreaterThan(0);
    const { temporalAt, perdureAt, files } = saved.answer;
    const bytes = files.reduce((sum: number, file: { bytes: number }) => sum + file.bytes, 0);
    console.log(
      `drill: ${JSON.stringify({
        ...{ accepted: accepted.size, beforeTheBackup: known.size, ...counts, listed: listed.size },
        ...{ backupMs: saved.tookMs, bytes, apartMs: Date.parse(perdureAt) - Date.parse(temporalAt) },
        ...{
          restoreMs: restored.tookMs,
          startMs,
          endedMs,
          callsAfterTheBackup: callsMeanwhile,
          repeatedCalls: repeated.length,
        },
        mayRepeat: Object.fromEntries(
          Object.entries(restored.answer.mayRepeat as Record<string, { count: number }>).map(([kind, { count }]) => [
            kind,
            count,
          ]),
        ),
      })}`,
    );
  },
  DRILL_MS,
);
