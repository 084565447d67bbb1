import { expect } from '@jest/globals';
import type { SeenCall } from '../setup/providers/loopback.ts';
import { type CallKind, callId, type ScriptPlayer, type TurnScript } from './turnScripts.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts as the ai package has them
type Part = any;

export interface EndedTurn {
  turn: number;
  script: TurnScript;
  status: string;
  /** Parts of the assistant's message; undefined if there is none. */
  parts: Part[] | undefined;
}

function stepsOf(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps;
}

const joined = (parts: readonly Part[], type: string) =>
  parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
const callsIn = (parts: readonly Part[]) => parts.filter(({ type }) => type !== 'text' && type !== 'reasoning');

/** The stored message matches the counting provider call, and each effect happened once. */
export function judgeTurn({ turn, script, status, parts = [] }: EndedTurn, player: ScriptPlayer, effects: SeenCall[]) {
  const steps = stepsOf(parts);
  const isStopped = status === 'STOPPED';
  const about = `turn ${turn}, ${status}: ${JSON.stringify(parts)}`;
  if (script.stopAfterMs === null) expect([about, status]).toEqual([about, 'COMPLETED']);
  if (!isStopped) expect([about, steps.length]).toEqual([about, script.steps.length]);
  for (const [at, stored] of steps.entries()) {
    const made = player.callsOf(turn, at);
    const text = joined(stored, 'text');
    // The last step of a stopped turn may be an interrupted one, of any attempt.
    const isCut = isStopped && at === steps.length - 1;
    if (isCut) expect([about, made.some((call) => call.text.startsWith(text))]).toEqual([about, true]);
    else {
      const last = made.at(-1);
      const sent = [last?.request.sent, last?.text, last?.reasoning];
      expect([about, text, text, joined(stored, 'reasoning')]).toEqual([about, ...sent]);
      judgeCalls(about, callsIn(stored), { turn, at, kinds: script.steps[at]?.calls ?? [], isStopped });
    }
  }
  const kinds = script.steps.flatMap(({ calls }, at) =>
    calls.map((kind, index) => ({ kind, id: callId(turn, at, index) })),
  );
  for (const { kind, id } of kinds) {
    const keys = effects
      .filter(({ body }) => body.includes(`"${id}"`))
      .map(({ headers }) => headers['idempotency-key']);
    const most = kind === 'effect' ? 1 : 0;
    const unique = new Set(keys).size;
    if (isStopped) expect([id, unique <= most]).toEqual([id, true]);
    else expect([id, unique]).toEqual([id, most]);
  }
}

function judgeCalls(
  about: string,
  calls: readonly Part[],
  { turn, at, kinds, isStopped }: { turn: number; at: number; kinds: readonly CallKind[]; isStopped: boolean },
): void {
  expect([about, calls.map(({ toolCallId }) => toolCallId)]).toEqual([
    about,
    kinds.map((_, index) => callId(turn, at, index)),
  ]);
  for (const [index, kind] of kinds.entries()) {
    const { state, output, toolCallId } = calls[index];
    // Parts that were open at the stop have an error.
    if (isStopped && state === 'output-error') continue;
    if (kind === 'denied') expect([about, state]).toEqual([about, 'output-denied']);
    else
      expect([about, state, kind === 'effect' ? output?.body?.id : output]).toEqual([
        about,
        'output-available',
        toolCallId,
      ]);
  }
}
