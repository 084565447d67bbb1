import { pathTo } from '../place.ts';
import type { Problems } from '../workflow/problems.ts';
import { Shape } from '../workflow/shape.ts';
import type { ActionManifest } from './manifest.ts';
import type { RunsOn } from './runsOn.ts';

const DIGEST = /^[0-9a-f]{64}$/;
const PACKAGE = /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

type Actions = readonly Pick<ActionManifest, 'actionId'>[];
/** The kinds that an upsert accepts. The interpreter runs `worker`; the others have an executor (customExecutors.ts). */
export const RUNNING_KINDS = [
  'worker',
  'http',
  'openapi',
  'mcp',
  'function',
  'piece',
] as const satisfies readonly RunsOn['on'][];
type RunningKind = (typeof RUNNING_KINDS)[number];

type Reader = (shape: Shape, actions: Actions, problems: Problems) => RunsOn | undefined;

export function readRuns(shape: Shape, problems: Problems, actions: Actions): RunsOn | undefined {
  const runs = shape.object('runs');
  if (runs === undefined) {
    if (!shape.has('runs')) shape.problem('runs', 'required: expected {on, …}');
    return undefined;
  }
  const inner = new Shape(runs, shape.place('runs'), problems);
  if (!inner.has('on')) inner.problem('on', `required: expected one of ${RUNNING_KINDS.join(', ')}`);
  const on = inner.oneOf('on', RUNNING_KINDS);
  if (on === undefined) return undefined;
  const read = READERS[on](inner, actions, problems);
  inner.refuseOthers(`an app that runs on ${on}`);
  return read;
}

/** True if the actions run in the runner, which an operator can turn off (RUNNER). */
export function needsRunner({ on }: RunsOn): boolean {
  return on === 'function' || on === 'piece';
}

/** The digest of the document or bundle that the app needs. */
export function contentDigest(runs: RunsOn): { digest: string; member: string } | undefined {
  if (runs.on === 'openapi') return { digest: runs.document, member: 'document' };
  return runs.on === 'function' || runs.on === 'piece' ? { digest: runs.bundle, member: 'bundle' } : undefined;
}

const workerRuns: Reader = (shape, actions, problems) => {
  const taskQueue = requiredText(shape, 'taskQueue', 200, 'the name of a task queue');
  const workflows = shape.list('workflows');
  const known = new Set(actions.map(({ actionId }) => actionId));
  const seen = new Set<unknown>();
  for (const [index, id] of (workflows ?? []).entries()) {
    const place = pathTo(shape.place('workflows'), index);
    if (typeof id !== 'string' || !known.has(id)) problems.add(place, 'expected the id of an action of the app');
    else if (seen.has(id)) problems.add(place, `${id} is already in the list`);
    seen.add(id);
  }
  if (taskQueue === undefined) return undefined;
  return { on: 'worker', taskQueue, ...(workflows === undefined ? {} : { workflows: workflows as string[] }) };
};

const httpRuns: Reader = (shape) => {
  const baseUrl = webAddress(shape, 'baseUrl');
  return baseUrl === undefined ? undefined : { on: 'http', baseUrl };
};

const openApiRuns: Reader = (shape) => {
  const document = digestIn(shape, 'document');
  return document === undefined ? undefined : { on: 'openapi', document };
};

const mcpRuns: Reader = (shape, actions, problems) => {
  const url = webAddress(shape, 'url');
  const tools = shape.object('tools');
  const known = new Set(actions.map(({ actionId }) => actionId));
  for (const [actionId, digest] of Object.entries(tools ?? {})) {
    const place = pathTo(shape.place('tools'), actionId);
    if (!known.has(actionId)) problems.add(place, 'expected the id of an action of the app');
    else if (typeof digest !== 'string' || !DIGEST.test(digest)) problems.add(place, 'expected the SHA-256 of a tool');
  }
  if (url === undefined) return undefined;
  return { on: 'mcp', url, ...(tools === undefined ? {} : { tools: tools as Record<string, string> }) };
};

const functionRuns: Reader = (shape) => {
  const bundle = digestIn(shape, 'bundle');
  return bundle === undefined ? undefined : { on: 'function', bundle };
};

const pieceRuns: Reader = (shape) => {
  const name = matchingText(shape, 'package', PACKAGE, 'the name of a package of npm');
  const version = matchingText(shape, 'version', VERSION, 'an exact version, such as 1.2.3');
  const bundle = digestIn(shape, 'bundle');
  if (name === undefined || version === undefined || bundle === undefined) return undefined;
  return { on: 'piece', package: name, version, bundle };
};

const READERS: Readonly<Record<RunningKind, Reader>> = {
  worker: workerRuns,
  http: httpRuns,
  openapi: openApiRuns,
  mcp: mcpRuns,
  function: functionRuns,
  piece: pieceRuns,
};

function requiredText(shape: Shape, member: string, longest: number, expected: string): string | undefined {
  if (!shape.has(member)) shape.problem(member, `required: expected ${expected}`);
  return shape.text(member, longest);
}

function digestIn(shape: Shape, member: string): string | undefined {
  return matchingText(shape, member, DIGEST, 'the SHA-256 of an uploaded content, in 64 hexadecimal digits');
}

function matchingText(shape: Shape, member: string, pattern: RegExp, expected: string): string | undefined {
  const text = requiredText(shape, member, 214, expected);
  if (text === undefined || pattern.test(text)) return text;
  shape.problem(member, `expected ${expected}`);
  return undefined;
}

function webAddress(shape: Shape, member: string): string | undefined {
  const expected = 'an http or https address without user, password, query and fragment';
  const text = requiredText(shape, member, 2000, expected);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return text;
  shape.problem(member, `expected ${expected}`);
  return undefined;
}
