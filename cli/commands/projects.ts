import { open, readFile, stat } from 'node:fs/promises';
import { isJsonObject } from '../../domain/json.ts';
import type { Handler, Options } from '../commandSpec.ts';
import { EnvironmentValues, type StoredValues } from '../environmentValues.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import { fileProblemText } from '../fileProblems.ts';
import { cut, type Output } from '../output.ts';
import type { Place } from '../place.ts';
import { type Applied, type Bundle, planOf, projectOf } from '../planOf.ts';
import { type Resource, readFilledFolder, requireFiles } from '../projectFolder.ts';
import { ask, isYes } from '../prompt.ts';
import { writeFolder } from '../writeFolder.ts';

interface StoredPlan {
  projectId: string;
  bundle: { resources: Resource[]; delete: boolean; owner?: string };
  planHash: string;
  /** Values of the environment in the bundle, which are masked when the plan is applied. */
  filled?: StoredValues;
}

export const pull: Handler = async ({ arguments: [folder = '.'], out, place }) => {
  const here = await place();
  const { resources } = await here.client.exportProject({ path: { projectId: await projectOf(here) } });
  const { written, removed, uncompared } = await writeFolder(folder, resources as Resource[]);
  if (uncompared.length > 0) out.note(`Not compared, because a variable is not set:\n  ${uncompared.join('\n  ')}`);
  const lines = [...written.map((path) => `wrote ${path}`), ...removed.map((path) => `removed ${path}`)];
  out.value({ written, removed, resources: resources.length }, () => lines.join('\n') || 'Nothing has changed.');
  return EXIT.done;
};

export const plan: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const here = await place();
  const projectId = await projectOf(here);
  const { bundle, ...read } = await readBundle(folder, options);
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, read);
  out.value(planned, () => planText(planned));
  const target = options.text('out');
  if (target !== undefined) {
    await writePlan(target, { projectId, bundle, planHash: planned.planHash, filled: read.filled.stored() });
    out.note(`Saved the plan to ${target}. Apply it with: perdure apply ${target}`);
  }
  return hasChanges(planned) ? EXIT.changes : EXIT.done;
};

export const applyCommand: Handler = async ({ arguments: [source = '.'], options, out, place, signal }) => {
  const here = await place();
  const isPlan = (await stat(source).catch(() => undefined))?.isFile() === true;
  if (options.isSet('test')) await requireGreen(source, isPlan, out, signal);
  if (isPlan) {
    const { projectId, bundle, planHash, filled } = await readPlan(source);
    const read = { files: [], filled: new EnvironmentValues(filled) };
    return done(await apply(here, projectId, { ...bundle, planHash }, read), out);
  }
  const projectId = await projectOf(here);
  const { bundle, ...read } = await readBundle(source, options);
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, read);
  if (!hasChanges(planned)) {
    out.value(planned, () => 'Nothing has changed.');
    return EXIT.done;
  }
  if (!options.isSet('yes')) {
    if (!process.stdin.isTTY) throw new Usage('--yes is required without a terminal');
    out.note(planText(planned));
    if (!isYes(await ask('Apply this? [y/N] '))) throw new Ended(EXIT.failed, 'Nothing was applied.');
  }
  return done(await apply(here, projectId, { ...bundle, planHash: planned.planHash }, read), out);
};

interface Source {
  files: string[];
  filled: EnvironmentValues;
}

/** Reads the folder's project. Throws a Usage if the folder is absent, or if an empty one would delete everything. */
async function readBundle(folder: string, options: Options): Promise<Source & { bundle: Bundle }> {
  const { resources, files, filled, settings } = await readFilledFolder(folder);
  const isDelete = options.isSet('delete');
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (isDelete || !isFolder) requireFiles(folder, resources);
  return { bundle: { resources, delete: isDelete, owner: settings.owner }, files, filled };
}

/** The bundle contains values of the environment, so only its owner may read the file. */
async function writePlan(target: string, plan: StoredPlan): Promise<void> {
  const file = await open(target, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(plan, null, 2)}\n`);
  } finally {
    await file.close();
  }
}

async function readPlan(file: string): Promise<StoredPlan> {
  const text = await readFile(file, 'utf8');
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    // Reported below, like any other file that is not a plan.
  }
  const isPlan =
    isJsonObject(plan) &&
    typeof plan.projectId === 'string' &&
    typeof plan.planHash === 'string' &&
    isJsonObject(plan.bundle);
  if (!isPlan) throw new Usage(`${file} is not a plan: expected a folder, or a file from perdure plan --out`);
  return plan as unknown as StoredPlan;
}

async function requireGreen(folder: string, isPlan: boolean, out: Output, signal: AbortSignal): Promise<void> {
  if (isPlan) throw new Usage('--test requires a folder: a plan has no cases');
  const { readSuite } = await import('../caseFiles.ts');
  const { reportText, runSuite } = await import('./test.ts');
  const report = await runSuite(await readSuite(folder, undefined), out, signal);
  out.note(reportText(report, { hasColor: false }));
  if (report.failed > 0) throw new Ended(EXIT.failed, 'Nothing was applied: a case failed.');
}

function done(applied: Applied, out: Output): number {
  out.value(applied, () => `${planText(applied)}\nApplied.`);
  return EXIT.done;
}

/** Masks values of the environment in the answer. Exits with 4 if the files are not valid. */
async function apply(place: Place, projectId: string, bundle: Bundle, { files, filled }: Source): Promise<Applied> {
  const answer = filled.masked(await planOf(place, projectId, bundle, files));
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

/** Lists the values of a new resource; for a list whose entries have ids, the ids. */
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
