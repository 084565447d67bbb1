import { writeFile } from 'node:fs/promises';
import { isProblem } from '#client';
import type { CaseReport } from '../../cases/caseSuite.ts';
import { type ReadSuite, readSuite } from '../caseFiles.ts';
import type { Handler } from '../commandSpec.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import { fileProblems, fileProblemText } from '../fileProblems.ts';
import { findExecution } from '../findByName.ts';
import { type Output, printable } from '../output.ts';

export const test: Handler = async ({ arguments: [folder = '.'], options, out, place, signal }) => {
  const recorded = options.text('record');
  if (recorded === undefined) {
    if (options.text('out') !== undefined) throw new Usage('-o requires --record');
    const report = await runSuite(await readSuite(folder, options.text('workflow')), out, signal);
    out.value(report, () => reportText(report, out));
    return report.failed === 0 ? EXIT.done : EXIT.failed;
  }
  const here = await place();
  const { recordCase } = await import('../recordCase.ts');
  const text = await recordCase(here, await findExecution(here, recorded));
  const file = options.text('out');
  if (file === undefined) process.stdout.write(text);
  else {
    await writeFile(file, text);
    out.note(`Saved the case to ${file}`);
  }
  return EXIT.done;
};

/** Exits with 4 if the folder is not valid. */
export async function runSuite(suite: ReadSuite, out: Output, signal: AbortSignal): Promise<CaseReport> {
  const refuse = (errors: readonly { path: string; message: string }[]): never => {
    throw new Ended(EXIT.blocked, fileProblems(errors, suite).map(fileProblemText).join('\n'));
  };
  // Report problems that need no server before one starts.
  const { offlineProblems } = await import('../../api/operations/bundles/offlineProblems.ts');
  const problems = await offlineProblems(suite.resources);
  const errors = problems.filter(({ severity }) => severity !== 'warning');
  if (errors.length > 0) refuse(errors);
  const { runCases } = await import('../../cases/runCases.ts');
  try {
    return await runCases(suite, (line) => out.note(line), signal);
  } catch (error) {
    if (!isProblem(error) || error.status !== 400 || error.errors.length === 0) throw error;
    return refuse(error.errors);
  }
}

export function reportText(
  { passed, failed, cases, coverage }: CaseReport,
  { hasColor }: Pick<Output, 'hasColor'>,
): string {
  const color = (code: number, text: string) => (hasColor ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = cases.flatMap(({ workflow, name, status, problems, durationMs }) => [
    `${status === 'passed' ? color(32, 'ok    ') : color(31, 'FAILED')} ${workflow}: ${printable(name)} (${durationMs} ms)`,
    ...problems.map((problem) => `         ${printable(problem)}`),
  ]);
  const covered = Object.entries(coverage).map(
    ([slug, of]) =>
      `${slug}: ${of.nodesRun} of ${of.nodes} nodes, ${of.edgesTaken} of ${of.edges} edges, ${of.errorRoutesTaken} of ${of.errorRoutes} error routes`,
  );
  return [...lines, '', ...covered, `${passed} passed, ${failed} failed`].join('\n');
}
