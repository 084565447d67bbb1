import { isProblem, type Perdure } from '#client';
import { Usage } from './exitCode.ts';
import { type FileProblem, fileProblems } from './fileProblems.ts';
import { printable } from './output.ts';
import type { Place } from './place.ts';
import type { Resource } from './projectFolder.ts';
import { takeRows } from './takeRows.ts';

export type Applied = Awaited<ReturnType<Perdure['applyProject']>>;

export interface Bundle {
  resources: Resource[];
  delete: boolean;
  /** The folder's owner: `delete` only deletes resources that carry it. */
  owner?: string;
  dryRun?: boolean;
  planHash?: string;
}

export async function projectOf({ client, projectId }: Place): Promise<string> {
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
  files: readonly string[],
): Promise<{ applied: Applied } | { problems: FileProblem[] }> {
  try {
    const body = bundle as unknown as Parameters<Perdure['applyProject']>[0]['body'];
    return { applied: await client.applyProject({ path: { projectId }, body }) };
  } catch (error) {
    if (!isProblem(error) || error.status !== 400 || error.errors.length === 0) throw error;
    return { problems: fileProblems(error.errors, files) };
  }
}
