import type { PlanNode } from '../domain/workflow/plan.ts';
import type { Loop } from './loop.ts';
import { type StatusDetails, shownTime } from './statusDetails.ts';

export class StepDetails {
  readonly #lines = new Map<string, () => string>();

  runs(node: PlanNode, text: string): void {
    this.#lines.set(node.id, () => `Running: ${text}`);
  }

  retries(node: PlanNode, text: string, delayMs: number): void {
    const at = shownTime(Date.now() + delayMs);
    this.#lines.set(node.id, () => `${text} at ${at}`);
  }

  waits(node: PlanNode, delayMs: number): void {
    const until = shownTime(Date.now() + delayMs);
    this.#lines.set(node.id, () => `Waits until ${until}: ${node.label}`);
  }

  awaitsConnection(node: PlanNode, until: number): void {
    const at = shownTime(until);
    this.#lines.set(node.id, () => `Waits until ${at} for its connection to be authorized again: ${node.label}`);
  }

  startsWorkflow(node: PlanNode, name: string, isAwaited: boolean): void {
    this.#lines.set(node.id, () => `${isAwaited ? 'Waits for' : 'Starts'} the workflow "${name}": ${node.label}`);
  }

  asksAgent(node: PlanNode, asks: boolean): void {
    this.#lines.set(node.id, () => `Waits for ${asks ? 'an approval' : 'an agent'}: ${node.label}`);
  }

  callsWorker(node: PlanNode, taskQueue: string): void {
    this.#lines.set(node.id, () => `Runs on the queue ${taskQueue}: ${node.label}`);
  }

  /** `loop`: present if workflows run the loop, which then counts its iterations. */
  loops(node: PlanNode, loop?: Loop): void {
    const most = node.asks ? `at most ${loop?.loop.total}` : loop?.loop.total;
    const progress = () => (loop === undefined ? '' : `, ${loop.ended} of ${most} iterations have ended`);
    this.#lines.set(node.id, () => `Loop: ${node.label}${progress()}`);
  }

  hasEnded(nodeId: string): void {
    this.#lines.delete(nodeId);
  }

  describe(details: StatusDetails, place: string): void {
    for (const line of this.#lines.values()) details.add(`${line()}${place}`);
  }
}
