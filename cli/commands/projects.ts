import { readFile, stat, writeFile } from 'node:fs/promises';
import { isJsonObject } from '../../domain/json.ts';
import { ask, isYes } from '../ask.ts';
import type { Handler, Options } from '../commandSpec.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import { fileProblemText } from '../fileProblems.ts';
import { cut, type Output } from '../output.ts';
import type { Place } from '../place.ts';
import { type Applied, type Bundle, planOf, projectOf } from '../planOf.ts';
import { type Resource, readFolder, requireFiles, writeFolder } from '../projectFolder.ts';

interface StoredPlan {
  projectId: string;
  bundle: { resources: Resource[]; delete: boolean };
  planHash: string;
}

export const pull: Handler = async ({ arguments: [folder = '.'], out, place }) => {
  const here = await place();
  const { resources } = await here.client.exportProject({ path: { projectId: await projectOf(here) } });
  const { written, removed } = await writeFolder(folder, resources as Resource[]);
  const lines = [...written.map((path) => `wrote ${path}`), ...removed.map((path) => `removed ${path}`)];
  out.value({ written, removed, resources: resources.length }, () => lines.join('\n') || 'Nothing has changed.');
  return EXIT.done;
};

export const plan: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const here = await place();
  const projectId = await projectOf(here);
  const { bundle, files } = await readBundle(folder, options);
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, files);
  out.value(planned, () => planText(planned));
  const target = options.text('out');
  if (target !== undefined) {
    const stored: StoredPlan = { projectId, bundle, planHash: planned.planHash };
    // It may hold what ${env:…} stood for.
    await writeFile(target, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    out.note(`The plan is in ${target}: perdure apply ${target}`);
  }
  return hasChanges(planned) ? EXIT.changes : EXIT.done;
};

export const applyCommand: Handler = async ({ arguments: [source = '.'], options, out, place, signal }) => {
  const here = await place();
  const isPlan = (await stat(source).catch(() => undefined))?.isFile() === true;
  if (options.isSet('test')) await requireGreen(source, isPlan, out, signal);
  if (isPlan) {
    const { projectId, bundle, planHash } = await readPlan(source);
    return done(await apply(here, projectId, { ...bundle, planHash }, []), out);
  }
  const projectId = await projectOf(here);
  const { bundle, files } = await readBundle(source, options);
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, files);
  if (!hasChanges(planned)) {
    out.value(planned, () => 'Nothing has changed.');
    return EXIT.done;
  }
  if (!options.isSet('yes')) {
    if (!process.stdin.isTTY) throw new Usage('Without a terminal --yes is needed');
    out.note(planText(planned));
    if (!isYes(await ask('Apply this? [y/N] '))) throw new Ended(EXIT.failed, 'Nothing was applied.');
  }
  return done(await apply(here, projectId, { ...bundle, planHash: planned.planHash }, files), out);
};

/** What the folder says the project is to be. A Usage where it is not there, or would have all deleted. */
async function readBundle(folder: string, options: Options): Promise<{ bundle: Bundle; files: string[] }> {
  const { resources, files } = await readFolder(folder);
  const isDelete = options.isSet('delete');
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (isDelete || !isFolder) requireFiles(folder, resources);
  return { bundle: { resources, delete: isDelete }, files };
}

/** What `plan --out` wrote. */
async function readPlan(file: string): Promise<StoredPlan> {
  const text = await readFile(file, 'utf8');
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    // Said below, as of any other file that is no plan.
  }
  const isPlan =
    isJsonObject(plan) &&
    typeof plan.projectId === 'string' &&
    typeof plan.planHash === 'string' &&
    isJsonObject(plan.bundle);
  if (!isPlan) throw new Usage(`${file} is no plan: expected a folder, or what perdure plan --out wrote`);
  return plan as unknown as StoredPlan;
}

/** Ends with 1 where a case fails. */
async function requireGreen(folder: string, isPlan: boolean, out: Output, signal: AbortSignal): Promise<void> {
  if (isPlan) throw new Usage('--test takes a folder: a plan has no cases');
  const { readSuite } = await import('../caseFiles.ts');
  const { reportText, runSuite } = await import('./test.ts');
  const report = await runSuite(await readSuite(folder, undefined), out, signal);
  out.note(reportText(report, { hasColor: false }));
  if (report.failed > 0) throw new Ended(EXIT.failed, 'Nothing was applied: a case fails.');
}

function done(applied: Applied, out: Output): number {
  out.value(applied, () => `${planText(applied)}\nApplied.`);
  return EXIT.done;
}

async function apply(place: Place, projectId: string, bundle: Bundle, files: string[]): Promise<Applied> {
  const answer = await planOf(place, projectId, bundle, files);
  if ('applied' in answer) return answer.applied;
  throw new Ended(EXIT.blocked, `Nothing was applied.\n${answer.problems.map(fileProblemText).join('\n')}`);
}

function hasChanges({ plan: all }: Applied): boolean {
  return all.some(({ action }) => action !== 'unchanged');
}

const SIGNS: Record<string, string> = { create: '+', update: '~', delete: '-' };

function planText({ plan: all }: Applied): string {
  const changed = all.filter(({ action }) => action !== 'unchanged');
  const lines = changed.flatMap(({ kind, slug, action, changes = [], openExecutions }) => [
    `${SIGNS[action]} ${kind} ${slug}${openExecutions ? `  (${openExecutions} open executions stay on their version)` : ''}`,
    ...(action === 'create' ? givenText(changes) : changes.map(changeText)),
  ]);
  const count = (action: string) => all.filter((each) => each.action === action).length;
  return [...lines, `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete`].join(
    '\n',
  );
}

type Change = NonNullable<Applied['plan'][number]['changes']>[number];

function changeText({ path, from, to }: Change): string {
  return `    ${path}: ${short(from)} → ${short(to)}`;
}

/** What a new resource has; of a list whose entries have ids, those. */
function givenText(changes: readonly Change[]): string[] {
  return changes.map(({ path, to }) => {
    const ids = Array.isArray(to) ? to.map((each) => (each as { id?: unknown } | null)?.id) : [];
    const areIds = ids.length > 0 && ids.every((id) => typeof id === 'string');
    return `    ${path}: ${areIds ? cut(ids.join(', ')) : short(to)}`;
  });
}

function short(value: unknown): string {
  return value === undefined ? '(none)' : cut(JSON.stringify(value));
}
