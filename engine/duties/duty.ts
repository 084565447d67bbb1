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

/**
 * A repair that workers run repeatedly (dutyLeases.ts). Running it twice, also at the same time, is harmless. Duties are
 * independent of each other.
 */
export interface Duty {
  name: string;
  /**
   * A duty on rows of workspaces, which workers share: whether there is anything to do in these buckets. Absent: one worker
   * does it for all workspaces.
   */
  due?(buckets: readonly number[]): DueCondition;
  /** Pause between the end of one run and the next. */
  readonly intervalMs: number;
  /**
   * One run, bounded. Throws if the engine or the database is away: the next run continues. Rows on which it acts since
   * something was lost go to `repaired`. `buckets`: whose workspaces are this worker's now.
   */
  run(stopped: AbortSignal, repaired: (rows: number) => void, buckets: readonly number[]): Promise<void>;
}

/** Dependencies of the duties. */
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

/** Younger than this a start or a signal may still be on its way. */
export const SETTLING_MS = 3_000;
/** Rows of one statement. */
export const BATCH = 100;
/** Batches of one run: a long backlog takes several. */
const ROUNDS = 10;
/** Batches of one run of a sweep. Sweeps are rare, and one must be able to delete a minute's growth. */
export const SWEEP_ROUNDS = 200;

/** Goes on while there may be more to do. */
export async function inRounds(stopped: AbortSignal, act: () => Promise<boolean>, rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds && !stopped.aborted; round += 1) if (!(await act())) return;
}
