import type { Logger } from 'pino';
import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { AGENT_TURN, fairShare, turnAttributes } from '../../temporal-workflows/names.ts';
import type { Engine } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';

/** Starts turns whose rows exist, and sends stops to the engine. The reconciler repeats failures. */
export class TurnStarter {
  readonly #engine: Engine;
  readonly #log: Logger;

  constructor(engine: Engine, log: Logger) {
    this.#engine = engine;
    this.#log = log;
  }

  /** False if the engine is unavailable, or has had the turn before. */
  async start(turn: TurnRef): Promise<boolean> {
    return this.#quietly(turn, () =>
      this.#engine.workflows.start({
        type: AGENT_TURN,
        workflowId: turn.runId,
        args: [turn],
        title: 'Turn of an agent',
        attributes: turnAttributes(turn.workspaceId),
        priority: fairShare(turn),
        isEager: true,
      }),
    );
  }

  /** False if the engine is unavailable, or the turn is not running. */
  stop(turn: TurnRef): Promise<boolean> {
    return this.#quietly(turn, () => this.#engine.workflows.cancel(turn.runId));
  }

  async #quietly({ runId }: TurnRef, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof EngineAway;
      this.#log.warn({ runId, ...(away ? {} : { err: error }) }, 'the engine learns of a turn later');
      return false;
    }
  }
}
