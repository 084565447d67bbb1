// test: long
import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import fc from 'fast-check';
import { judgeChildren } from '../chaos/children.ts';
import { countEffects } from '../chaos/effects.ts';
import { tellOpen } from '../chaos/forensics.ts';
import { judge } from '../chaos/judgement.ts';
import { type Killer, startKiller } from '../chaos/killer.ts';
import { deploy, type Lived, live, lives } from '../chaos/life.ts';
import { replayAll } from '../chaos/replayAll.ts';
import { SUB_WORKFLOWS } from '../model/subWorkflows.ts';
import { poll } from '../setup/jest/poll.ts';
import { startStack } from '../setup/stack/ownStack.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import { homeOn } from '../setup/workspace/home.ts';

// `npm run chaos` is the long form: 300 executions, ten minutes.
const MINUTES = Number(process.env.CHAOS_MINUTES ?? 0.2);
const EXECUTIONS = Number(process.env.CHAOS_EXECUTIONS ?? (MINUTES < 5 ? 15 : 300));
const SEED = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));
/** Low enough that some actions go to the overflow queue. */
const AT_ONCE = 6;
const CHAOS_MS = MINUTES * 60_000;
/** Time for open executions after the chaos: a lost worker costs 10 s, ten in a row some minutes. */
const REST_MS = Number(process.env.CHAOS_REST_MS ?? 240_000);
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];

async function listAll(api: ReturnType<typeof homeOn>['api']): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = '/api/executions?limit=1000'; path; ) {
    const { body, headers }: Awaited<ReturnType<typeof api>> = await api('GET', path);
    ids.push(...body.map(({ id }: { id: string }) => id));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return ids;
}

/** One caller follows all executions, most of which are open at once on a slow machine. */
const STREAMS = { MAX_STREAMS_PER_CALLER: String(4 * EXECUTIONS), MAX_STREAMS_PER_WORKSPACE: String(4 * EXECUTIONS) };

test(
  `${EXECUTIONS} random executions end as the reducer says while everything is killed at random`,
  async () => {
    console.log(`chaos: CHAOS_SEED=${SEED} CHAOS_MINUTES=${MINUTES} CHAOS_EXECUTIONS=${EXECUTIONS}`);
    const effects = await countEffects();
    const stack = await startStack({
      environment: { ACTIONS_AT_ONCE: String(AT_ONCE), WORKER_LOST_TRIES: '1000', ...STREAMS },
    });
    const home = homeOn(stack);
    const connection = Connection.lazy({ address: stack.temporalAddress });
    const temporal = new Client({ connection });
    const none = () => ({ repeats: 0 });
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const world = { signal: over.signal, home, temporal, starts: none(), inputs: none(), streams: none() };
    const drawn = fc.sample(lives({ effectsUrl: effects.url }), { numRuns: EXECUTIONS, seed: SEED });
    let killer: Killer | undefined;
    const open = new Map<number, string>();
    try {
      const workflowIds: string[] = [];
      for (const graph of SUB_WORKFLOWS) await home.deploy(graph);
      for (const life of drawn) workflowIds.push(await deploy(world, life));
      killer = startKiller(stack, SEED);
      const begun = drawn.map(async (life, index): Promise<Lived> => {
        await sleep(life.at * CHAOS_MS);
        const lived = await live(world, life, workflowIds[index] as string, (executionId) =>
          open.set(index, executionId),
        );
        open.delete(index);
        return lived;
      });
      const all = Promise.all(begun);
      await Promise.race([sleep(CHAOS_MS), all.then(() => sleep(CHAOS_MS))]);
      await killer.stop();
      const late = sleep(REST_MS, 'late' as const, { ref: false });
      const ended = await Promise.race([all, late]);
      if (ended === 'late') throw new Error(`Still open after the chaos: ${await tellOpen(world, stack, open)}`);
      const isReady = () => fetch(`${stack.url}/readyz`).then(({ status }) => status, String);
      await poll(isReady, { timeout: 60_000, interval: 500 }).toBe(200);

      const counts: Record<string, number> = {};
      const count = (what: string, by = 1) => {
        counts[what] = (counts[what] ?? 0) + by;
      };
      const known: string[] = [];
      for (const [index, first] of ended.entries()) {
        const life = drawn[index] as (typeof drawn)[number];
        for (const lived of first.again ? [first, first.again] : [first]) {
          const { executionId } = lived;
          const execution = await home.read(executionId, 'id');
          const judged = async () => {
            expect(ENDED).toContain(execution.status);
            expect(await engineStatus(executionId, temporal)).toBe(execution.status);
            count(judge(life, lived, execution, effects));
            return judgeChildren(world, executionId);
          };
          const children = await judged().catch((error: Error) => {
            const details = { graph: life.random.graph, execution, lived: [...lived.submitted] };
            throw new Error(`chaos-${index}: ${error.message}\n${JSON.stringify(details, null, 1)}`);
          });
          known.push(executionId, ...children);
          count('sub-workflows', children.length);
          count(execution.status);
          count('steps', execution.executionPath.length);
          for (const { accepted } of lived.submitted.values()) if (accepted !== undefined) count('inputs accepted');
        }
        if (first.again) count('retried');
      }
      expect((await listAll(home.api)).sort()).toEqual(known.sort());
      const { histories, overflowed } = await replayAll(temporal);
      count('histories replayed', histories);
      count('overflowed', overflowed);
      const { starts, inputs, streams } = world;
      const repeated = { starts: starts.repeats, inputs: inputs.repeats, streams: streams.repeats };
      console.log(
        `chaos: ${JSON.stringify({ killed: killer.counts, ...counts, repeated, calls: effects.calls(), effects: effects.done.size })}`,
      );
      expect(Object.values(killer.counts).length).toBeGreaterThan(0);
    } catch (error) {
      throw new Error(
        `CHAOS_SEED=${SEED} CHAOS_MINUTES=${MINUTES} CHAOS_EXECUTIONS=${EXECUTIONS}: ${(error as Error).message}`,
        { cause: error },
      );
    } finally {
      over.abort();
      await killer?.stop().catch(() => undefined);
      await connection.close();
      await stack.dispose();
    }
  },
  CHAOS_MS + REST_MS + 120_000,
);
