import { readFile, stat, writeFile } from 'node:fs/promises';
import { isProblem, type Perdure } from '#client';
import { ask, isYes } from '../ask.ts';
import type { Handler } from '../commandSpec.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import { type Output, printable } from '../output.ts';
import type { Place } from '../place.ts';
import { type Resource, readFolder, writeFolder } from '../projectFolder.ts';

type ApplyBody = Parameters<Perdure['applyProject']>[0]['body'];
type Applied = Awaited<ReturnType<Perdure['applyProject']>>;

interface StoredPlan {
  projectId: string;
  bundle: { resources: Resource[]; delete: boolean };
  planHash: string;
}

function projectOf({ projectId }: Place): string {
  if (projectId !== undefined) return projectId;
  throw new Usage('Which project? Set PERDURE_PROJECT, or give --project <id>');
}

export const pull: Handler = async ({ arguments: [folder = '.'], out, place }) => {
  const here = await place();
  const { resources } = await here.client.exportProject({ path: { projectId: projectOf(here) } });
  const { written, removed } = await writeFolder(folder, resources as Resource[]);
  const lines = [...written.map((path) => `wrote ${path}`), ...removed.map((path) => `removed ${path}`)];
  out.value({ written, removed, resources: resources.length }, () => lines.join('\n') || 'Nothing has changed.');
  return EXIT.done;
};

export const plan: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const here = await place();
  const projectId = projectOf(here);
  const { resources, files } = await readFolder(folder);
  const bundle = { resources, delete: options.isSet('delete') };
  const planned = await apply(here, projectId, { ...bundle, dryRun: true } as ApplyBody, files);
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

export const applyCommand: Handler = async ({ arguments: [source = '.'], options, out, place }) => {
  const here = await place();
  const isPlan = (await stat(source).catch(() => undefined))?.isFile() === true;
  if (isPlan) {
    const { projectId, bundle, planHash } = JSON.parse(await readFile(source, 'utf8')) as StoredPlan;
    return done(await apply(here, projectId, { ...bundle, planHash } as ApplyBody, []), out);
  }
  const projectId = projectOf(here);
  const { resources, files } = await readFolder(source);
  const bundle = { resources, delete: options.isSet('delete') };
  const planned = await apply(here, projectId, { ...bundle, dryRun: true } as ApplyBody, files);
  if (!hasChanges(planned)) {
    out.value(planned, () => 'Nothing has changed.');
    return EXIT.done;
  }
  if (!options.isSet('yes')) {
    if (!process.stdin.isTTY) throw new Usage('Without a terminal --yes is needed');
    out.note(planText(planned));
    if (!isYes(await ask('Apply this? [y/N] '))) throw new Ended(EXIT.failed, 'Nothing was applied.');
  }
  return done(await apply(here, projectId, { ...bundle, planHash: planned.planHash } as ApplyBody, files), out);
};

function done(applied: Applied, out: Output): number {
  out.value(applied, () => `${planText(applied)}\nApplied.`);
  return EXIT.done;
}

/** Problems name `resources[3].nodes[1]`: the file is what people look for. */
async function apply({ client }: Place, projectId: string, body: ApplyBody, files: string[]): Promise<Applied> {
  try {
    return await client.applyProject({ path: { projectId }, body });
  } catch (error) {
    if (!isProblem(error) || error.status !== 400 || error.errors.length === 0) throw error;
    const lines = error.errors.map(({ path, message }) => {
      const [, index, rest = ''] = /^resources\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      const file = index === undefined ? undefined : files[Number(index)];
      return file === undefined ? `${path}: ${message}` : `${file}: ${rest}: ${message}`;
    });
    throw new Ended(EXIT.blocked, `Nothing was applied.\n${lines.join('\n')}`);
  }
}

function hasChanges({ plan: all }: Applied): boolean {
  return all.some(({ action }) => action !== 'unchanged');
}

const SIGNS: Record<string, string> = { create: '+', update: '~', delete: '-' };

function planText({ plan: all }: Applied): string {
  const changed = all.filter(({ action }) => action !== 'unchanged');
  const lines = changed.flatMap(({ kind, slug, action, changes = [], openExecutions }) => [
    `${SIGNS[action]} ${kind} ${slug}${openExecutions ? `  (${openExecutions} open executions stay on their version)` : ''}`,
    ...changes.map(({ path, from, to }) => `    ${path}: ${short(from)} → ${short(to)}`),
  ]);
  const count = (action: string) => all.filter((each) => each.action === action).length;
  return [...lines, `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete`].join(
    '\n',
  );
}

function short(value: unknown): string {
  return value === undefined ? '(none)' : printable(JSON.stringify(value));
}
