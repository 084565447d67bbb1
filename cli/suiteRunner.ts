import type { CaseRunner } from '../cases/caseRunner.ts';
import type { ReadSuite } from './caseFiles.ts';
import { locatedReport, type TestReport } from './caseReport.ts';
import { fileProblems } from './fileProblems.ts';
import type { Output } from './output.ts';
import { endAt } from './projectFolder.ts';

/** Runs suites on one platform, which starts with the first valid suite. */
export class SuiteRunner {
  readonly #out: Output;
  #runner: Promise<CaseRunner> | undefined;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Exits with 4 if the folder is not valid. */
  async run(suite: ReadSuite, signal: AbortSignal): Promise<TestReport> {
    const refuse = (errors: Parameters<typeof fileProblems>[0]) => endAt(suite.folder, fileProblems(errors, suite));
    // Report problems that need no server before one starts.
    const { offlineProblems } = await import('../api/operations/bundles/offlineProblems.ts');
    const errors = (await offlineProblems(suite.resources)).filter(({ severity }) => severity !== 'warning');
    if (errors.length > 0) await refuse(errors);
    signal.throwIfAborted();
    this.#runner ??= this.#start();
    const runner = await this.#runner;
    const { isProblem } = await import('#client');
    try {
      return await locatedReport(suite.folder, await runner.run(suite, signal));
    } catch (error) {
      if (!isProblem(error) || error.status !== 400 || error.errors.length === 0) throw error;
      return refuse(error.errors);
    }
  }

  async stop(): Promise<void> {
    const runner = await this.#runner?.catch(() => undefined);
    await runner?.stop();
  }

  async #start(): Promise<CaseRunner> {
    const say = (line: string) => this.#out.note(line);
    // The client of Temporal's server would print its own notes, such as that it pings less often.
    process.env.GRPC_VERBOSITY ??= 'NONE';
    const { startCaseDatabase } = await import('../cases/caseDatabase.ts');
    const database = startCaseDatabase(say);
    // Handled when the runner awaits it, after its modules are loaded.
    database.catch(() => undefined);
    const { startCaseRunner } = await import('../cases/caseRunner.ts');
    return startCaseRunner(database, say);
  }
}

export async function runSuite(suite: ReadSuite, out: Output, signal: AbortSignal): Promise<TestReport> {
  const runner = new SuiteRunner(out);
  try {
    return await runner.run(suite, signal);
  } finally {
    await runner.stop();
  }
}
