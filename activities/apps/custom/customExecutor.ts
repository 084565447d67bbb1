import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { ActionCall, ActionResult } from '../executor.ts';

/** Runs an action of a workspace's app. Returns failures like an executor of a built-in app. */
export type CustomExecutor = (app: CustomApp, action: ActionManifest, call: ActionCall) => Promise<ActionResult>;
