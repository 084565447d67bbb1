import { isProblem, type Perdure } from '#client';
import type { Move } from '../domain/bundle/moves.ts';
import { Usage } from './exitCode.ts';
import { type FileProblem, fileProblems, type InFolder } from './fileProblems.ts';
import { findId } from './findByName.ts';
import { printable } from './output.ts';
import type { Place } from './place.ts';
import type { Resource } from './projectFolder.ts';
import { takeRows } from './takeRows.ts';

export type Applied = Awaited<ReturnType<Perdure['applyProject']>>;

export interface Bundle {
  resources: Resource[];
  delete: boolean;
  /** The folder's owner: `delete` only deletes resources that carry it. Default: the project's slug. */
  owner?: string;
  moved?: Move[];
  takeOver?: boolean;
  dryRun?: boolean;
  planHash?: string;
}

/** Returns the id of the given project, of the one that the folder names by its slug, or of the only one. */
export async function projectOf(place: Place, ofFolder?: string): Promise<string> {
  const { client, projectId, isProjectGiven } = place;
  if (ofFolder !== undefined && !isProjectGiven) return findId(place, 'project', ofFolder);
  if (projectId !== undefined) return projectId;
  const projects = await takeRows(
    client.paginate('listProjects', { query: { expansion: 'slug,name' } }),
    MAX_NAMED,
  ).catch((error: unknown) => {
    if (isProblem(error) && error.status === 403) return [];
    throw error;
  });
  const [only] = projects;
  if (only && projects.length === 1) return only.id;
  const names = projects.map(({ id, slug, name }) => `\n  ${id}  ${slug}  ${printable(name)}`).join('');
  throw new Usage(`Choose a project: set PERDURE_PROJECT, or give --project <id or slug>${names}`);
}

const MAX_NAMED = 10;

/** Returns the answer of applyProject, or the problems of the files. Throws any other refusal. */
export async function planOf(
  { client }: Place,
  projectId: string,
  bundle: Bundle,
  inFolder: InFolder,
): Promise<{ applied: Applied } | { problems: FileProblem[] }> {
  try {
    const body = bundle as unknown as Parameters<Perdure['applyProject']>[0]['body'];
    return { applied: await client.applyProject({ path: { projectId }, body }) };
  } catch (error) {
    if (!isProblem(error) || error.status !== 400 || error.errors.length === 0) throw error;
    return { problems: fileProblems(error.errors, inFolder) };
  }
}
