import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Scope } from '../../../../domain/expression/scope.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ProblemDetail } from '../../../../domain/problem.ts';
import type { Rules as ConditionRules } from '../../../../domain/rule/rule.ts';

/** Longer than the evaluator's own time limit, for work that this limit does not interrupt. */
const PATIENCE_MS = 5_000;

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

class RulesTimeout extends Error {}

/** Runs the engine's rules in a worker. A worker that does not answer is replaced. */
class Rules {
  #worker: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gifts = new Map<string, RulesGift>();

  /** Stores the latest value of each kind for every later worker. */
  give(gift: RulesGift): void {
    this.#gifts.set(gift.give, gift);
    this.#worker?.postMessage(gift);
  }

  /** Rejects with a RulesTimeout if the worker was terminated. */
  ask<Question extends RulesQuestion>(question: Question): Promise<RulesAnswers[Question['ask']]> {
    const worker = this.#start();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => this.#end(new RulesTimeout('it takes too long')), PATIENCE_MS);
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          clearTimeout(patience);
          this.#waiting.delete(id);
          act(value);
        };
      this.#waiting.set(id, {
        resolve: settle((answer: unknown) => resolve(answer as RulesAnswers[Question['ask']])),
        reject: settle(reject),
      });
      worker.postMessage({ ...question, id });
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./rulesWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<RulesReply>) =>
      this.#waiting.get(data.id)?.resolve(data.answer),
    );
    worker.addEventListener('error', ({ message }) => this.#end(new Error(message)));
    for (const gift of this.#gifts.values()) worker.postMessage(gift);
    this.#worker = worker;
    return worker;
  }

  #end(error: Error): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of [...this.#waiting.values()]) reject(error);
  }
}

export const RULES = new Rules();

export interface FunctionHelp {
  name: string;
  signature: string;
  doc: string;
}

export type Evaluated = { value: Json } | { problem: string };

type RulesQuestion =
  | { ask: 'validate'; definition: unknown }
  | { ask: 'evaluate'; value: Json; scope: string }
  | { ask: 'functions' }
  | { ask: 'rules'; expression: string };

/** Large values that the worker keeps for later questions. */
type RulesGift = { give: 'catalogue'; apps: AppManifest[] } | { give: 'scope'; name: string; scope: Scope };

interface RulesAnswers {
  validate: ProblemDetail[];
  evaluate: Evaluated;
  functions: FunctionHelp[];
  /** Null if rules cannot show the expression. */
  rules: ConditionRules | null;
}

export type RulesMessage = RulesGift | (RulesQuestion & { id: number });
export interface RulesReply {
  id: number;
  answer: unknown;
}
