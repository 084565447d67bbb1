import { type CaseFile, caseFileProblems, caseFileSchema } from '../domain/case/caseFile.ts';
import { caseProblems } from '../domain/case/caseProblems.ts';
import type { CaseResource } from './caseSuite.ts';

/** A file of cases for workflows of a folder, or all that is wrong with it: `cases[0].mocks.pay: …`. */
export function checkedCases(
  value: unknown,
  resources: readonly CaseResource[],
): { file?: CaseFile; problems: string[] } {
  const { file, problems } = caseFileProblems(value);
  if (!file) return { problems };
  const workflows = resources.filter(({ kind }) => kind === 'workflow');
  const graphs = new Map(
    workflows.map(({ slug, nodes }) => [slug, { nodes: Array.isArray(nodes) ? nodes : [] }] as const),
  );
  const wrong = caseProblems(file, graphs);
  return wrong.length === 0 ? { file, problems: [] } : { problems: wrong };
}

/** JSON Schema of a file of cases. */
export function casesSchema(): object {
  return caseFileSchema();
}
