// test: long
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDatabase } from '../../prisma/client.ts';
import { startKiller } from '../chaos/killer.ts';
import { type EndedTurn, judgeTurn } from '../chaos/turnJudgement.ts';
import { questionOf, ScriptPlayer, type TurnScript, turnScripts } from '../chaos/turnScripts.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { type AgentHome, agentHomeOn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

// Runs random turns while everything is killed at random. The stored messages must match what the scripted provider
// sent. `npm run test:long` runs a hundred.
const TURNS = Number(process.env.RANDOM_TURNS ?? 8);
const SEED = Number(process.env.RANDOM_TURNS_SEED ?? randomInt(2 ** 31));
/** Killing stops after this time, so that running turns can end. */
const KILLING_MS = TURNS * 2_500;
const AT_ONCE = 5;
const LOOK_MS = 200;
const ENDED = ['COMPLETED', 'FAILED', 'STOPPED'];
const TIMEOUT_MS = 120_000 + TURNS * 12_000;

// Kills are more frequent than turns, and may hit any step.
const { stack, home: own } = await ownHome({ environment: { WORKER_LOST_TRIES: '1000' } });

async function insist<T>(work: () => Promise<T | undefined | null>): Promise<T> {
  for (;;) {
    const value = await work().catch(() => undefined);
    if (value !== undefined && value !== null) return value;
    await sleep(LOOK_MS);
  }
}

async function begin(home: AgentHome, taskId: string, body: object): Promise<string | undefined> {
  const stream = await insist(async () => {
    const begun = await home.stream(taskId, body);
    return begun.status === 200 ? begun : undefined;
  });
  return (await stream.done) ? textOf(stream.chunks) : follow(home, taskId);
}

/** Follows the message until it ends; returns the text of a completed stream. */
async function follow(home: AgentHome, taskId: string): Promise<string | undefined> {
  for (;;) {
    const stream = await insist(async () => {
      const again = await home.resume(taskId);
      return again.status === 200 || again.status === 204 ? again : undefined;
    });
    if (stream.status === 204) return undefined;
    if (await stream.done) return textOf(stream.chunks);
  }
}

async function answerApprovals(home: AgentHome, taskId: string, script: TurnScript): Promise<boolean> {
  const message = (await home.messages(taskId)).at(-1);
  const parts = message.parts.flatMap((part: { state?: string; toolCallId: string; approval?: { id: string } }) => {
    if (part.state !== 'approval-requested') return [];
    const [, at, index] = /s(\d+)c(\d+)$/.exec(part.toolCallId) ?? [];
    const approved = script.steps[Number(at)]?.calls[Number(index)] === 'approved';
    return [{ type: 'tool-approval-response', approvalId: part.approval?.id, approved }];
  });
  const stream = await home.stream(taskId, { message: { role: 'assistant', parts } });
  // Not awaited: a read shows the end.
  void stream.done;
  return stream.status === 200;
}

async function live(home: AgentHome, turn: number, script: TurnScript): Promise<EndedTurn> {
  const taskId = `turn-${turn}`;
  let following = begin(home, taskId, { message: userMessage(questionOf(turn), `question-${turn}`) });
  const newest = () => insist(() => home.turn(taskId));
  await newest();
  const { stopAfterMs } = script;
  const stopping =
    stopAfterMs === null
      ? undefined
      : sleep(stopAfterMs).then(() =>
          insist(async () => ((await home.stop(taskId)).status === 201 ? true : undefined)),
        );
  for (;;) {
    const { status } = await newest();
    if (ENDED.includes(status)) {
      await stopping;
      const received = await following;
      const messages = await insist(() => home.messages(taskId));
      const parts = messages.find(({ role }) => role === 'assistant')?.parts;
      // A follower that received the whole message must have the stored one; the turns of an approval form one message.
      if (received !== undefined) {
        const stored = (parts ?? []).flatMap((part: { type: string; text: string }) =>
          part.type === 'text' ? [part.text] : [],
        );
        expect([taskId, received]).toEqual([taskId, stored.join('')]);
      }
      return { turn, script, status, parts };
    }
    if (status === 'NEEDS_APPROVAL') {
      const isTaken = await answerApprovals(home, taskId, script).catch(() => false);
      following = isTaken ? follow(home, taskId) : Promise.resolve(undefined);
    }
    await sleep(LOOK_MS);
  }
}

test(
  `${TURNS} random turns end whole and once while everything is killed at random`,
  async () => {
    console.log(`turns: RANDOM_TURNS_SEED=${SEED} RANDOM_TURNS=${TURNS}`);
    const database = createDatabase(stack.databaseUrl, 2);
    const effects = await loopback(({ body }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    try {
      const home = await agentHomeOn(own, database, {
        tools: [
          tool('http', 'request', { inputs: { method: 'POST', url: effects.url } }),
          tool('testing', 'succeed', { policy: 'approve' }),
        ] as never,
      });
      const scripts = fc.sample(turnScripts, { numRuns: TURNS, seed: SEED });
      const player = new ScriptPlayer(scripts);
      home.provider.answerBy(player.answer);
      const killer = startKiller(stack, SEED);
      const open = [...scripts.entries()];
      const ended: EndedTurn[] = [];
      const lane = async () => {
        for (let next = open.shift(); next; next = open.shift()) ended.push(await live(home, ...next));
      };
      const lanes = Promise.all(Array.from({ length: AT_ONCE }, lane));
      const inPeace = new AbortController();
      const killing = sleep(KILLING_MS, undefined, { signal: inPeace.signal })
        .catch(() => undefined)
        .then(() => killer.stop());
      await lanes.finally(() => {
        inPeace.abort();
        return killing;
      });
      for (const each of ended) judgeTurn(each, player, effects.calls);
      const statuses = ended.map(({ status }) => status);
      console.log(`turns: ${JSON.stringify({ kills: killer.counts, calls: player.made.length, statuses })}`);
      expect(Object.values(killer.counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    } finally {
      await database.close();
    }
  },
  TIMEOUT_MS,
);
