import { createHash } from 'node:crypto';
import { isSigningSecret } from '../event/signedMessage.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import type { ProblemDetail } from '../problem.ts';
import { storageProblem } from '../storableJson.ts';
import { canonicalJson } from '../workflow/canonical.ts';
import { memberIfPresent } from '../workflow/nodeShape.ts';
import { Problems } from '../workflow/problems.ts';
import { Shape } from '../workflow/shape.ts';
import { readActions, readDescription } from './customActions.ts';
import type { CustomApp } from './customApp.ts';
import { readConnectionTypes } from './customConnections.ts';
import { CUSTOM_ICON } from './customIcon.ts';
import { readRuns } from './customRuns.ts';
import type { ActionManifest, AppManifest, Catalogue } from './manifest.ts';
import type { RunsOn } from './runsOn.ts';

export const APP_SLUG = /^[a-z][a-z0-9_-]{0,63}$/i;
export const MAX_APP_NAME = 200;
const MAX_SECRET = 100;

export interface AppLimits {
  maxActions: number;
  maxBytes: number;
}

export function appLimits(config: { MAX_APP_ACTIONS: number; MAX_APP_BYTES: number }): AppLimits {
  return { maxActions: config.MAX_APP_ACTIONS, maxBytes: config.MAX_APP_BYTES };
}

export interface ReadApp {
  /** Absent if there are problems. */
  app?: CustomApp;
  /** The signing secret of an http app, which is not part of its manifest. */
  secret?: string;
  problems: ProblemDetail[];
}

/** Reads a manifest of a workspace, and the secret next to it. Reports each problem at its place. */
export function readApp(given: unknown, limits: AppLimits, catalogue: Catalogue): ReadApp {
  const tooMuch = sizeProblem(given, limits);
  if (tooMuch !== undefined) return { problems: [{ path: '', message: tooMuch }] };
  const problems = new Problems();
  const shape = new Shape(given as JsonObject, '', problems);
  const slug = readSlug(shape, catalogue);
  const name = shape.text('name', MAX_APP_NAME) ?? slug ?? '';
  const description = readDescription(shape);
  const connectionTypes = readConnectionTypes(shape, problems);
  const actions = readActions(shape, problems, {
    maxActions: limits.maxActions,
    isConnected: connectionTypes.length > 0,
  });
  if ((shape.list('triggers') ?? []).length > 0)
    shape.problem('triggers', 'expected none: only built-in apps have triggers');
  const runs = readRuns(shape, problems, actions);
  const secret = readSecret(shape, runs);
  shape.refuseOthers('an app');
  if (problems.hasErrors || slug === undefined || runs === undefined) return { problems: problems.all };
  const manifest = {
    ...{ appId: slug, name, description, icon: CUSTOM_ICON, categories: [] },
    ...{ connectionTypes, actions: actions.map((action) => placed(action, runs)), triggers: [] },
  } satisfies AppManifest;
  const digest = sha256(canonicalJson({ ...manifest, icon: undefined, runs }));
  return { app: { ...manifest, custom: { runs, digest } }, ...memberIfPresent('secret', secret), problems: [] };
}

function readSecret(shape: Shape, runs: RunsOn | undefined): string | undefined {
  const secret = shape.text('secret', MAX_SECRET);
  if (secret === undefined) return undefined;
  if (runs && runs.on !== 'http') shape.problem('secret', 'expected none: only http apps have one');
  else if (!isSigningSecret(secret)) shape.problem('secret', 'expected whsec_ and 24 to 64 bytes in base64');
  return secret;
}

function placed(action: ActionManifest, { on }: RunsOn): ActionManifest {
  return on === 'worker' ? { ...action, placement: 'worker' } : action;
}

function sizeProblem(given: unknown, { maxBytes }: AppLimits): string | undefined {
  if (!isJsonObject(given)) return `expected an app, got ${kindOfJson(given)}`;
  if (isDeeperThan(given, MAX_DEPTH)) return `the app is nested too deeply, at most ${MAX_DEPTH} levels are allowed`;
  const text = JSON.stringify(given);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) return `the app has ${bytes} bytes of JSON, at most ${maxBytes} are allowed (MAX_APP_BYTES)`;
  return storageProblem(text);
}

function readSlug(shape: Shape, catalogue: Catalogue): string | undefined {
  const slug = shape.text('slug', 64);
  if (slug === undefined) {
    if (!shape.has('slug')) shape.problem('slug', 'required: expected the id of the app in the workspace');
    return undefined;
  }
  if (!APP_SLUG.test(slug)) {
    shape.problem('slug', 'expected a letter, then up to 63 letters, digits, _ or -');
    return undefined;
  }
  const builtIn = [...catalogue.values()].find(
    ({ appId, custom }) => custom === undefined && appId.toLowerCase() === slug.toLowerCase(),
  );
  if (builtIn) shape.problem('slug', `${builtIn.appId} is a built-in app: expected another slug`);
  return slug;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
