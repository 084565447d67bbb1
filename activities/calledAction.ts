import type { CustomApp } from '../domain/app/customApp.ts';
import type { ActionManifest } from '../domain/app/manifest.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ActionCall } from './apps/executor.ts';

export interface CalledAction {
  appId: string;
  actionId: string;
  /** Its manifest if the caller has it; otherwise the catalogue is searched. */
  action?: ActionManifest | undefined;
  /** The version of its app if that is one of the workspace. */
  customApp?: CustomApp | undefined;
  /** Checked by its inputConfig, defaults applied. */
  inputs: JsonObject;
  /** Other secret texts from its inputs. */
  secrets?: readonly string[] | undefined;
  connection?: ActionCall['connection'] | undefined;
  origin?: ActionCall['origin'];
  /** The idempotency key, the same in each attempt. A function computes it only if the executor uses it. */
  key: string | (() => string);
  attempt: number;
  clock: ActionClock;
}

export interface ActionClock {
  timeoutMs?: number | undefined;
  cancellation?: AbortSignal;
}
