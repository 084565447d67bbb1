import { iterationKey, loopKey } from '../../domain/execution/iteration.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import type { KnownLoops, LoopProgress, Loops } from '../../prisma/store/execution/readLoops.ts';
import { iterationOf, type LoopTotals } from '../../prisma/store/execution/shownStep.ts';
import { event } from '../streams/eventStream.ts';

/** Keeps only open nested loops once there may be more loops than in a snapshot (`position`). */
export class SentLoops {
  readonly #executionId: string;
  #sent = new Map<string, LoopProgress>();
  #position: string | undefined;

  constructor(executionId: string) {
    this.#executionId = executionId;
  }

  /** The parameters with which a read returns all news. */
  get known(): KnownLoops {
    const inside = [...this.#sent.values()].filter(({ iteration, isOpen }) => iteration !== '' && isOpen);
    return { position: this.#position, open: inside.map(({ id }) => id) };
  }

  /** Returns an event for each loop that advanced. `read` has loops that the snapshot omits. */
  news(revision: number, shown: readonly LoopProgress[], read: Loops | undefined): string {
    const isFirst = this.#position === undefined;
    // Loops in a snapshot are stale compared with a read that knew all earlier ones.
    const loops = [...new Map([...(read && !isFirst ? [] : shown), ...(read?.loops ?? [])].map(withId)).values()];
    const totals: LoopTotals = new Map(loops.map((loop) => [loopKey(loop.iteration, loop.nodeId), loop.total]));
    const text = loops
      .filter((loop) => !isSame(this.#sent.get(loop.id), loop))
      .map((loop) => this.#event(revision, loop, totals));
    this.#position = read?.position ?? this.#position;
    const kept = this.#position === undefined ? loops : loops.filter((loop) => loop.iteration === '' || loop.isOpen);
    this.#sent = new Map(kept.map(withId));
    return text.join('');
  }

  #event(revision: number, { nodeId, iteration, completed, failed, total }: LoopProgress, totals: LoopTotals): string {
    const data = {
      executionId: this.#executionId,
      nodeId,
      ...(iteration === '' ? {} : { iteration: iterationOf(iteration, totals) }),
      completed,
      failed,
      ...(total === null ? {} : { total }),
    };
    return event('loop.progress', data, revision);
  }
}

export function loopsOf(executionPath: Json): LoopProgress[] {
  return (Array.isArray(executionPath) ? executionPath : []).flatMap((step) => {
    if (!isJsonObject(step) || !isJsonObject(step.iterations)) return [];
    const { completed, failed, total } = step.iterations;
    const around = step.iteration as { nodeId: string; index: number }[];
    return {
      id: String(step.id),
      nodeId: String(step.nodeId),
      iteration: around.reduce((parent, { nodeId, index }) => iterationKey(parent, nodeId, index), ''),
      completed: Number(completed),
      failed: Number(failed),
      total: total === undefined ? null : Number(total),
      isOpen: step.stoppedAt === null,
    };
  });
}

function withId(loop: LoopProgress): [string, LoopProgress] {
  return [loop.id, loop];
}

function isSame(one: LoopProgress | undefined, other: LoopProgress): boolean {
  return one?.completed === other.completed && one.failed === other.failed && one.total === other.total;
}
