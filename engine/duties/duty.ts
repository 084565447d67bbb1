import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import type { DueCondition } from '../../prisma/store/dueRows.ts';
import type { Engine } from '../engine.ts';
import type { EventDeliverer } from '../events/eventDeliverer.ts';
import type { FailureHandler } from '../executions/failureHandler.ts';
import type { Releaser } from '../executions/releaser.ts';
import type { Starter } from '../executions/starter.ts';
import type { StepWakes } from '../executions/stepWakes.ts';
import type { Submissions } from '../executions/submissions.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import type { DueItems } from '../queues/dueItems.ts';
import type { QueueRunner } from '../queues/queueRunner.ts';
import type { Schedules } from '../schedules/schedules.ts';
import type { TurnStarter } from '../turns/turnStarter.ts';

/** A repair that workers run repeatedly (dutyLeases.ts). Running it twice, even at the same time, is harmless. */
export interface Duty {
  name: string;
  /** The condition for work in these buckets, which workers share. Absent: one worker serves all workspaces. */
  due?(buckets: readonly number[]): DueCondition;
  /** The pause between the end of a run and the next one. */
  readonly intervalMs: number;
  /** Runs once, bounded. Throws if engine or database is away. `repaired`: reports rows repaired after a loss. */
  run(stopped: AbortSignal, repaired: (rows: number) => void, buckets: readonly number[]): Promise<void>;
}

export interface DutyParts {
  database: Database;
  engine: Engine;
  starter: Starter;
  feed: ChangeFeed;
  schedules: Schedules;
  answers: Submissions;
  stepWakes: StepWakes;
  failures: FailureHandler;
  releaser: Releaser;
  queues: QueueRunner;
  dueItems: DueItems;
  turns: TurnStarter;
  events: EventDeliverer;
  log: Logger;
}

/** A younger start or signal may still arrive. */
export const SETTLING_MS = 3_000;
export const BATCH = 100;
/** Batches per run; a long backlog takes several runs. */
const ROUNDS = 10;
/** Batches per run of a sweep. Sweeps are rare, and one must be able to delete a minute's growth. */
export const SWEEP_ROUNDS = 200;

export async function inRounds(stopped: AbortSignal, act: () => Promise<boolean>, rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds && !stopped.aborted; round += 1) if (!(await act())) return;
}
