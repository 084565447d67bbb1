import type { CaseReport } from '../cases/caseSuite.ts';
import { inPath, pathTo } from '../domain/place.ts';
import type { FileProblem } from './fileProblems.ts';
import { type Output, printable } from './output.ts';
import { withLines } from './problemLines.ts';

/** The report of `perdure test --json`. Lines and columns count from 1. */
export interface TestReport {
  passed: number;
  failed: number;
  cases: ReportedCase[];
  coverage: CaseReport['coverage'];
}

export interface ReportedCase {
  workflow: string;
  name: string;
  file: string;
  line: number;
  status: 'passed' | 'failed';
  problems: string[];
  /** `file:line:column` of each problem: the expectation, or what should contain it. */
  places: string[];
  durationMs: number;
}

/** Adds to cases and problems their lines in the files of the folder. */
export async function locatedReport(folder: string, { cases, ...report }: CaseReport): Promise<TestReport> {
  const located = cases.map(async ({ file, index, failures, ...rest }): Promise<ReportedCase> => {
    const at = pathTo('cases', index);
    const places = [{ path: at }, ...failures.map(({ path }) => ({ path: inPath(at, path) }))];
    const [own, ...others] = await withLines(
      folder,
      places.map(({ path }) => ({ file, path, message: '' })),
    );
    const problems = failures.map(({ message }) => message);
    return { ...rest, file, line: own?.line ?? 1, problems, places: others.map(placeText) };
  });
  return { ...report, cases: await Promise.all(located) };
}

function placeText({ file, line = 1, column = 1 }: FileProblem): string {
  return `${file}:${line}:${column}`;
}

export function reportText(
  { passed, failed, cases, coverage }: TestReport,
  { hasColor }: Pick<Output, 'hasColor'>,
): string {
  const color = (code: number, text: string) => (hasColor ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = cases.flatMap(({ workflow, name, status, problems, places, durationMs }) => [
    `${status === 'passed' ? color(32, 'ok    ') : color(31, 'FAILED')} ${workflow}: ${printable(name)} (${durationMs} ms)`,
    ...problems.map((problem, index) => `       ${places[index]}: ${printable(problem)}`),
  ]);
  const covered = Object.entries(coverage).map(
    ([slug, of]) =>
      `${slug}: ${of.nodesRun} of ${of.nodes} nodes, ${of.edgesTaken} of ${of.edges} edges, ${of.errorRoutesTaken} of ${of.errorRoutes} error routes`,
  );
  return [...lines, '', ...covered, `${passed} passed, ${failed} failed`].join('\n');
}
