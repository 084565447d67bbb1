import { isProblem, type Perdure } from '#client';
import { Usage } from './exitCode.ts';
import { type FileProblem, fileProblems } from './fileProblems.ts';
import type { Place } from './place.ts';
import type { Resource } from './projectFolder.ts';

export type Applied = Awaited<ReturnType<Perdure['applyProject']>>;

/** The body of `applyProject`. */
export interface Bundle {
  resources: Resource[];
  delete: boolean;
  dryRun?: boolean;
  planHash?: string;
}

export function projectOf({ projectId }: Place): string {
  if (projectId !== undefined) return projectId;
  throw new Usage('Which project? Set PERDURE_PROJECT, or give --project <id>');
}

/** What applyProject answers, or what is wrong with the files. Throws any other refusal. */
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
