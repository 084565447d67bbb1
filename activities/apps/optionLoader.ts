import type { Failure } from '../../domain/execution/outcome.ts';
import type { FieldOption, InputField } from '../../domain/field.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ActionCall, ActionResult } from './executor.ts';

export interface OptionsCall extends Pick<ActionCall, 'connection' | 'signal'> {
  workspaceId: string;
  /** The values of the form so far. */
  inputs: JsonObject;
  /** Only options that contain this text; may be empty. */
  search: string;
  /** The `cursor` of the previous page. */
  cursor?: string;
}

export type LoadedPage =
  | { ok: true; options: FieldOption[]; cursor?: string }
  /** The field is an object with these members. */
  | { ok: true; fields: InputField[] }
  | { ok: false; failure: Failure };

/** Loads a page of the options of one field. Returns failures that the author should see instead of throwing them. */
export type OptionLoader = (call: OptionsCall) => Promise<LoadedPage>;

export const MAX_OPTIONS = 1_000;

/** A call of an action that loads options. It has no key of a step, because it changes nothing. */
export function actionCall({ workspaceId, inputs, connection, signal }: OptionsCall): ActionCall {
  const origin = { workspaceId };
  return { inputs, ...(connection ? { connection } : {}), idempotencyKey: 'options', origin, attempt: 1, signal };
}

export function notLoaded(result: ActionResult): LoadedPage {
  if (result.ok) throw new Error('expected a failure');
  return { ok: false, failure: result.failure };
}
