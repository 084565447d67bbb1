import { connectionSecrets } from '../../../domain/app/connectionSecrets.ts';
import { type CustomApp, isCustomApp } from '../../../domain/app/customApp.ts';
import type { AppManifest } from '../../../domain/app/manifest.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type FieldOption, type InputField, isLoaded } from '../../../domain/field.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import { pieceFields } from '../../../domain/piece/pieceFields.ts';
import { failed } from '../executor.ts';
import { type LoadedPage, MAX_OPTIONS, notLoaded, type OptionsCall } from '../optionLoader.ts';
import { type AppRunnerSettings, buildAppRunner } from './appRunner.ts';
import { lentConnection, RUNNER_IS_OFF, resultOf } from './runnerExecutor.ts';

const MAX_TEXT = 1_000;

/** Loads options, or the fields of a dynamic property, with the code of the piece. */
export type PieceOptions = (app: CustomApp, field: AskedProperty, call: OptionsCall) => Promise<LoadedPage>;

interface AskedProperty {
  actionId: string;
  field: string;
}

export function isPiece(app: AppManifest | undefined): app is CustomApp {
  return isCustomApp(app) && app.custom.runs.on === 'piece';
}

export function buildPieceOptions(settings: AppRunnerSettings): PieceOptions {
  if (!settings.isRunnerOn) return async () => notLoaded(failed('RUNNER_OFF', RUNNER_IS_OFF));
  const run = buildAppRunner(settings);
  return async (app, { actionId, field }, { workspaceId, inputs, search, cursor, connection, signal }) => {
    const call = connection ? { connection: lentConnection(connection) } : {};
    const parameters = [actionId, field, { inputs, call }, search];
    const end = await run(app, workspaceId, { member: 'options', parameters, signal, isRepeatable: true });
    signal.throwIfAborted();
    const secrets = connectionSecrets(app.connectionTypes, connection);
    const result = resultOf(end, settings.runnerMemoryMb);
    if (!result.ok) {
      const { code, message, retryAfterMs } = result.failure;
      const more = retryAfterMs === undefined ? {} : { retryAfterMs };
      return notLoaded(failed(code, maskSecrets(message, secrets), more));
    }
    return pageOf(maskSecrets(result.output, secrets), search, cursor);
  };
}

/** A piece answers all options at once, and may ignore the search. */
function pageOf(loaded: Json, search: string, cursor: string | undefined): LoadedPage {
  const { props, options, isSearched } = isJsonObject(loaded) ? loaded : {};
  if (isJsonObject(props)) return { ok: true, fields: pieceFields(props, '').inputConfig.fields.map(withoutLoading) };
  const all = (Array.isArray(options) ? options : []).flatMap(optionOf);
  const wanted = search.toLowerCase();
  const found = isSearched === true ? all : all.filter(({ label }) => label.toLowerCase().includes(wanted));
  const from = Math.max(0, Number(cursor ?? 0) || 0);
  const end = from + MAX_OPTIONS;
  return { ok: true, options: found.slice(from, end), ...(end < found.length ? { cursor: String(end) } : {}) };
}

function optionOf(option: Json): FieldOption[] {
  const { value, label } = isJsonObject(option) ? option : {};
  if (typeof value !== 'string') return [];
  return [{ value, label: String(label ?? value).slice(0, MAX_TEXT) }];
}

/** Options within a dynamic property have no field by which they could be loaded. */
function withoutLoading({ options, ...field }: InputField): InputField {
  if (options === undefined) return field;
  if (!isLoaded(options)) return { ...field, options };
  return { ...field, type: field.type === 'select' ? 'text' : 'json' };
}
