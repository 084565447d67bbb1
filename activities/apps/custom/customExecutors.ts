import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import type { ActionCall, ActionResult } from '../executor.ts';
import { MissingAction } from '../missingAction.ts';

/** Runs an action of a workspace's app. Returns failures like an executor of a built-in app. */
export type CustomExecutor = (app: CustomApp, action: ActionManifest, call: ActionCall) => Promise<ActionResult>;

/** By `runs.on`. The interpreter runs the actions of `worker`. */
export type CustomExecutorTable = Partial<Record<Exclude<RunsOn['on'], 'worker'>, CustomExecutor>>;

export function customExecutorTable(): CustomExecutorTable {
  return {};
}

/** Throws MissingAction for a kind that this build lacks. */
export function buildCustomExecutors(table: CustomExecutorTable): CustomExecutor {
  return (app, action, call) => {
    const { on } = app.custom.runs;
    const executor = on === 'worker' ? undefined : table[on];
    if (executor === undefined) throw new MissingAction(app.appId, action.actionId);
    return executor(app, action, call);
  };
}
