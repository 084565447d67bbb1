import type { ActionManifest } from '../domain/app/manifest.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ActionCall } from './apps/executor.ts';

/** One call of an action of the catalogue, by a node, a node test or an agent. */
export interface CalledAction {
  appId: string;
  actionId: string;
  /** Its manifest, where it is at hand: the catalogue is looked through otherwise. */
  action?: ActionManifest | undefined;
  /** Checked by its inputConfig, defaults applied. */
  inputs: JsonObject;
  /** Other texts that came in with its inputs and that nobody may read. */
  secrets?: readonly string[] | undefined;
  /** Opened. */
  connection?: ActionCall['connection'] | undefined;
  origin?: ActionCall['origin'];
  /** The idempotency key, the same in each attempt; made where an executor uses it. */
  key: string | (() => string);
  /** From 1. */
  attempt: number;
  clock: ActionClock;
}

export interface ActionClock {
  /** Timeout of this attempt, milliseconds. Absent: none. */
  timeoutMs?: number | undefined;
  cancellation?: AbortSignal;
}
