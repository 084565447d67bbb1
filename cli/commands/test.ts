import { writeFile } from 'node:fs/promises';
import { affectedCases } from '../affectedCases.ts';
import { type ReadSuite, readSuite } from '../caseFiles.ts';
import { reportText, type TestReport } from '../caseReport.ts';
import type { Handler, Invocation } from '../commandSpec.ts';
import { Ended, EXIT, Usage } from '../exitCode.ts';
import { findExecution } from '../findByName.ts';
import { folderChanges } from '../folderChanges.ts';
import { junitText } from '../junitText.ts';
import { runSuite, SuiteRunner } from '../suiteRunner.ts';

export const test: Handler = async (given) => {
  const { options, out, place, signal } = given;
  const recorded = options.text('record');
  if (recorded === undefined) {
    if (options.text('out') !== undefined) throw new Usage('-o requires --record');
    if (options.isSet('watch')) return watchTests(given);
    const report = await runSuite(await suiteOf(given), out, signal);
    await show(report, given);
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

function suiteOf({ arguments: [folder = '.'], options }: Invocation): Promise<ReadSuite> {
  return readSuite(folder, options.text('workflow'), options.texts('case'));
}

async function show(report: TestReport, { options, out }: Invocation): Promise<void> {
  const junit = options.text('junit');
  if (junit !== undefined) await writeFile(junit, junitText(report));
  out.value(report, () => reportText(report, out));
}

/** Runs all cases and then, after each change of the files, those that it affects. Ctrl-C ends it with 0. */
async function watchTests(given: Invocation): Promise<number> {
  const {
    arguments: [folder = '.'],
    out,
    signal,
  } = given;
  const runner = new SuiteRunner(out);
  let last: ReadSuite | undefined;
  try {
    for await (const _ of folderChanges(folder, signal)) {
      try {
        const suite = await suiteOf(given);
        const cases = last === undefined ? suite.cases : affectedCases(last, suite);
        if (cases.length > 0) await show(await runner.run({ ...suite, cases }, signal), given);
        last = suite;
        if (cases.length > 0) out.note(`waiting for changes of ${folder}; Ctrl-C ends …`);
      } catch (error) {
        if (!(error instanceof Ended)) throw error;
        out.failure(error);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await runner.stop();
  }
  return EXIT.done;
}
