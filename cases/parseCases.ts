import { type CaseFile, caseFileProblems, caseFileSchema } from '../domain/case/caseFile.ts';
import { caseProblems } from '../domain/case/caseProblems.ts';
import type { CaseResource } from './caseSuite.ts';

/** Checks a file of cases for the workflows of a folder. Problems name their place (`cases[0].mocks.pay: …`). */
export function parseCases(
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

export function casesSchema(): object {
  return caseFileSchema();
}
