import fc from 'fast-check';
import type { ModelRequest } from '../setup/providers/modelRequest.ts';
import type { ModelStep } from '../setup/providers/modelScript.ts';

/** The failure of a model call before the one that succeeds. `brokenOff`: in the middle of its text. */
type Failing = '429' | '503' | 'disconnect' | 'brokenOff';
/** effect: an HTTP call that is counted. approved, denied: the decision of a person. */
export type CallKind = 'effect' | 'approved' | 'denied';

export interface ScriptedStep {
  reasoning: string[];
  text: string[];
  /** Before each word. */
  pauseMs: number;
  /** At most as many as an agent retries. */
  failures: Failing[];
  /** Parallel calls; none: the answer. */
  calls: CallKind[];
}

export interface TurnScript {
  steps: ScriptedStep[];
  /** Counted from the acceptance of the message; null: not stopped. */
  stopAfterMs: number | null;
}

const words = (bounds: fc.ArrayConstraints) =>
  fc.array(fc.constantFrom('alpha ', 'beta', ' "gamma"', '\n', 'δέλτα ', '😀', ' {{ trigger }}'), bounds);

const step = (calls: fc.Arbitrary<CallKind[]>): fc.Arbitrary<ScriptedStep> =>
  fc.record({
    reasoning: words({ maxLength: 2 }),
    text: words({ minLength: 1, maxLength: 6 }),
    pauseMs: fc.noBias(fc.integer({ min: 0, max: 150 })),
    failures: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Failing[]>([]) },
      {
        weight: 1,
        arbitrary: fc.array(fc.constantFrom<Failing>('429', '503', 'disconnect', 'brokenOff'), {
          minLength: 1,
          maxLength: 2,
        }),
      },
    ),
    calls,
  });

const kind = fc.constantFrom<CallKind>('effect', 'effect', 'effect', 'approved', 'denied');

export const turnScripts: fc.Arbitrary<TurnScript> = fc
  .record({
    before: fc.array(step(fc.array(kind, { minLength: 1, maxLength: 3 })), { maxLength: 2 }),
    answer: step(fc.constant([])),
    stopAfterMs: fc.option(fc.noBias(fc.integer({ min: 0, max: 3_000 })), { freq: 4 }),
  })
  .map(({ before, answer, stopAfterMs }) => ({ steps: [...before, answer], stopAfterMs }));

export interface MadeCall {
  turn: number;
  step: number;
  request: ModelRequest;
  text: string;
  reasoning: string;
}

export const questionOf = (turn: number) => `turn ${turn}`;
export const callId = (turn: number, at: number, index: number) => `t${turn}s${at}c${index}`;

const TOOLS: Record<CallKind, string> = {
  effect: 'http_request',
  approved: 'testing_succeed',
  denied: 'testing_succeed',
};

/** Records each answer. No two answers to one question have the same text. */
export class ScriptPlayer {
  readonly made: MadeCall[] = [];
  readonly #scripts: readonly TurnScript[];

  constructor(scripts: readonly TurnScript[]) {
    this.#scripts = scripts;
  }

  readonly answer = (request: ModelRequest): ModelStep[] => {
    const { messages } = request.body;
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const turn = Number(String(messages[asked]?.content).replace('turn ', ''));
    const at = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    const script = this.#scripts[turn]?.steps[at];
    if (!script) throw new Error(`nothing is scripted for step ${at} of ${questionOf(turn)}`);
    const attempt = this.callsOf(turn, at).length;
    const mark = `[${turn}.${at}.${attempt}] `;
    const { reasoning, calls, pauseMs } = script;
    const text = [mark, ...script.text];
    const failure = script.failures[attempt];
    this.made.push({ turn, step: at, request, text: text.join(''), reasoning: reasoning.join('') });
    if (failure === '429' || failure === '503') return [{ status: Number(failure), headers: { 'retry-after': '0' } }];
    if (failure === 'disconnect') return [{ disconnect: true }];
    const spoken: ModelStep[] = [
      ...reasoning.map((word) => ({ reasoning: word })),
      ...text.map((word) => ({ text: word })),
    ].flatMap((word) => [{ waitMs: pauseMs }, word]);
    if (failure === 'brokenOff') return [...spoken, { disconnect: true }];
    return [
      ...spoken,
      ...calls.map((kindOf, index) => {
        const id = callId(turn, at, index);
        const given = kindOf === 'effect' ? { body: { id } } : { output: id };
        return { toolCall: { id, name: TOOLS[kindOf], arguments: given } };
      }),
    ];
  };

  /** In order of arrival. */
  callsOf(turn: number, at: number): MadeCall[] {
    return this.made.filter((call) => call.turn === turn && call.step === at);
  }
}
