import { stat } from 'node:fs/promises';
import { uploadAppContents } from '../appContents.ts';
import type { Handler, Options } from '../commandSpec.ts';
import type { EnvironmentFill } from '../environmentFill.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import type { InFolder } from '../fileProblems.ts';
import { readSettings } from '../folderSettings.ts';
import type { Output } from '../output.ts';
import type { Place } from '../place.ts';
import { appliedWorkflows, workflowText } from '../plan/appliedWorkflows.ts';
import { maskedPlan } from '../plan/maskedPlan.ts';
import { planMarkdown, problemsMarkdown } from '../plan/planMarkdown.ts';
import { changedIn, planText, secretText } from '../plan/planText.ts';
import { readPlan, savePlan } from '../plan/savedPlan.ts';
import { type Applied, type Bundle, planOf, projectOf } from '../planOf.ts';
import { withLines } from '../problemLines.ts';
import { endAt, type Folder, type Resource, readFilledFolder, requireFiles } from '../projectFolder.ts';
import { ask, isYes } from '../prompt.ts';
import { writeFolder } from '../writeFolder.ts';

export const pull: Handler = async ({ arguments: [folder = '.'], out, place }) => {
  const here = await place();
  const settings = await readSettings(folder);
  const projectId = await projectOf(here, settings.project);
  const { owner } = settings;
  const query = { others: false, ...(owner === undefined ? {} : { owner }) };
  const { resources } = await here.client.exportProject({ path: { projectId }, query });
  const { written, removed, uncompared, different } = await writeFolder(folder, resources as Resource[], {
    context: here.context,
  });
  if (uncompared.length > 0) out.note(`Not compared, because a variable is not set:\n  ${uncompared.join('\n  ')}`);
  if (different.length > 0) out.note(`Kept, though the server has another value:\n  ${different.join('\n  ')}`);
  const lines = [...written.map((path) => `wrote ${path}`), ...removed.map((path) => `removed ${path}`)];
  out.value({ written, removed, resources: resources.length }, () => lines.join('\n') || 'Nothing has changed.');
  return EXIT.done;
};

export const plan: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const here = await place();
  const { bundle, projectId, read } = await readBundle(folder, options, here);
  const isReport = options.isSet('markdown') && out.form === 'people';
  const refuse = async (problems: Parameters<typeof problemsMarkdown>[0]) => {
    if (isReport) out.line(problemsMarkdown(await withLines(folder, problems)).trimEnd());
    return endAt(folder, problems, 'Nothing can be applied.\n');
  };
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, read, refuse);
  out.value(planned, () => (isReport ? planMarkdown(planned).trimEnd() : planText(planned, out)));
  const target = options.text('out');
  if (target !== undefined) {
    const { planHash } = planned;
    await savePlan(target, { projectId, bundle, planHash, templates: read.templates, inFolder: read });
    out.note(`Saved the plan to ${target}. Apply it with: perdure apply ${target}`);
  }
  return changedIn(planned).length > 0 ? EXIT.changes : EXIT.done;
};

export const applyCommand: Handler = async ({ arguments: [source = '.'], options, out, place, signal }) => {
  const here = await place();
  const isPlan = (await stat(source).catch(() => undefined))?.isFile() === true;
  if (options.isSet('test')) await requireGreen(source, isPlan, out, signal);
  if (isPlan) {
    const { projectId, bundle, inFolder, fill } = await readPlan(source);
    if (fill.values.names.length > 0) {
      out.note(
        `From the environment: ${fill.values.names.join(', ')}. Other values than those of the plan end with 3.`,
      );
    }
    return done(here, projectId, bundle, await apply(here, projectId, bundle, { ...inFolder, fill }), out);
  }
  const { bundle, projectId, read } = await readBundle(source, options, here);
  const refuse = (problems: Parameters<typeof endAt>[1]) => endAt(source, problems, NOTHING);
  const planned = await apply(here, projectId, { ...bundle, dryRun: true }, read, refuse);
  if (changedIn(planned).length === 0) {
    out.value(planned, () => 'Nothing has changed.');
    return EXIT.done;
  }
  if (!options.isSet('yes')) {
    if (!process.stdin.isTTY) throw new Usage('--yes is required without a terminal');
    out.note(planText(planned, out));
    if (!isYes(await ask('Apply this? [y/N] '))) throw new Ended(EXIT.failed, 'Nothing was applied.');
  }
  const exact = { ...bundle, planHash: planned.planHash };
  return done(here, projectId, bundle, await apply(here, projectId, exact, read, refuse), out);
};

const OCTETS = 'application/octet-stream';
const NOTHING = 'Nothing was applied.\n';

/** Reads the folder's project. Throws a Usage if the folder is absent, or if an empty one would delete everything. */
async function readBundle(
  folder: string,
  options: Options,
  here: Place,
): Promise<{ bundle: Bundle; projectId: string; read: Folder }> {
  const read = await readFilledFolder(folder, here.context);
  const { resources, settings } = read;
  const isDelete = options.isSet('delete');
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (isDelete || !isFolder) requireFiles(folder, resources);
  const { owner, moved, project } = settings;
  const bundle: Bundle = { resources, delete: isDelete, moved };
  if (owner !== undefined) bundle.owner = owner;
  if (options.isSet('takeOver')) bundle.takeOver = true;
  await uploadAppContents(here, folder, resources);
  await uploadContents(here, read.contents);
  return { bundle, projectId: await projectOf(here, project), read };
}

/** Uploads the code of functions first, because the server refuses apps whose content it does not have. */
async function uploadContents({ client }: Place, contents: ReadonlyMap<string, string>): Promise<void> {
  for (const [digest, code] of contents)
    await client.putAppContent({ path: { digest }, body: new Blob([code], { type: OCTETS }) as never });
}

async function requireGreen(folder: string, isPlan: boolean, out: Output, signal: AbortSignal): Promise<void> {
  if (isPlan) throw new Usage('--test requires a folder: a plan has no cases');
  const { readSuite } = await import('../caseFiles.ts');
  const { reportText } = await import('../caseReport.ts');
  const { runSuite } = await import('../suiteRunner.ts');
  const report = await runSuite(await readSuite(folder), out, signal);
  out.note(reportText(report, { hasColor: false }));
  if (report.failed > 0) throw new Ended(EXIT.failed, 'Nothing was applied: a case failed.');
}

async function done(here: Place, projectId: string, bundle: Bundle, applied: Applied, out: Output): Promise<number> {
  const workflows = await appliedWorkflows(here, projectId, bundle, applied);
  out.value({ ...applied, workflows }, () =>
    [planText(applied, out), 'Applied.', ...applied.plan.flatMap(secretText), ...workflows.map(workflowText)].join(
      '\n',
    ),
  );
  return EXIT.done;
}

/** Masks values of the environment in the answer. Calls `refuse` if the files are not valid. */
async function apply(
  place: Place,
  projectId: string,
  bundle: Bundle,
  { fill, ...inFolder }: InFolder & { fill: EnvironmentFill },
  refuse: (problems: Parameters<typeof endAt>[1]) => Promise<never> = (problems) => endAt(undefined, problems, NOTHING),
): Promise<Applied> {
  const answer = await planOf(place, projectId, bundle, inFolder);
  return 'applied' in answer ? maskedPlan(answer.applied, fill.values) : refuse(fill.values.masked(answer.problems));
}
