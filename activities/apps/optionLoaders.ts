import type { AppManifest } from '../../domain/app/manifest.ts';
import { openConnection } from '../connections/openConnection.ts';
import type { ActivityServices } from '../services.ts';
import type { AppRunnerSettings } from './custom/appRunner.ts';
import { buildPieceOptions, isPiece } from './custom/pieceOptions.ts';
import { failed } from './executor.ts';
import { buildRepositories } from './github/options.ts';
import type { GuardSettings } from './guard/addressGuard.ts';
import { buildMailboxes } from './imap/options.ts';
import { type LoadedPage, notLoaded, type OptionLoader, type OptionsCall } from './optionLoader.ts';
import { buildBuckets } from './s3/options.ts';
import { buildChannels } from './slack/options.ts';

export interface OptionSettings extends GuardSettings {
  maxResponseBytes: number;
  gitHubUrl?: string | undefined;
  slackUrl?: string | undefined;
}

/** By `appId.actionId.field`, or `appId.*.field` for every action of the app. */
export function optionLoaderTable(settings: OptionSettings): ReadonlyMap<string, OptionLoader> {
  return new Map([
    ['github.*.repo', buildRepositories(settings)],
    ['slack.*.channel', buildChannels(settings)],
    ['imap.*.mailbox', buildMailboxes(settings)],
    ['imap.*.to', buildMailboxes(settings)],
    ['s3.*.bucket', buildBuckets(settings)],
  ]);
}

export interface AskedField {
  app: AppManifest;
  actionId: string;
  field: string;
}

export interface AskedOptions extends Omit<OptionsCall, 'connection'> {
  /** A connection of the app; undefined if the action needs none. */
  connectionId: string | undefined;
}

/** Undefined if nothing loads options of this field. The API runs it. */
export type LoadOptions = (field: AskedField, asked: AskedOptions) => Promise<LoadedPage | undefined>;

export function buildLoadOptions(
  settings: OptionSettings & AppRunnerSettings,
  services: Pick<ActivityServices, 'connectionTokens'>,
): LoadOptions {
  const table = optionLoaderTable(settings);
  const loadOfPiece = buildPieceOptions(settings);
  return async ({ app, actionId, field }, { connectionId, ...call }) => {
    const { appId } = app;
    const load: OptionLoader | undefined = isPiece(app)
      ? (asked) => loadOfPiece(app, { actionId, field }, asked)
      : (table.get(`${appId}.${actionId}.${field}`) ?? table.get(`${appId}.*.${field}`));
    if (load === undefined) return undefined;
    if (connectionId === undefined) return load(call);
    const opened = await openConnection(services, call.workspaceId, connectionId);
    if (opened === undefined) return notLoaded(failed('INVALID_INPUT', 'connectionId: the connection does not exist'));
    if ('failure' in opened) return { ok: false, failure: opened.failure };
    return load({ ...call, connection: opened.connection });
  };
}
