import { join } from 'node:path';
import type { CaseSuite, SuiteCase } from '../cases/caseSuite.ts';
import { ProjectFileProblem, readYaml, yamlNames } from '../embedded/projectFiles.ts';
import { Ended, EXIT } from './exitCode.ts';
import { type Resource, readFolder } from './projectFolder.ts';

const FOLDER = 'tests';
/** Tests read no environment variables; the texts keep the names. */
const NO_ENVIRONMENT = {};

export interface ReadSuite extends CaseSuite {
  resources: Resource[];
  files: readonly string[];
}

/** Reads the folder and the cases of `tests/`, optionally of one workflow. Exits with 4 and every mistake in a file. */
export async function readSuite(folder: string, slug: string | undefined): Promise<ReadSuite> {
  const { parseCases } = await import('../cases/parseCases.ts');
  const { resources, files } = await readFolder(folder, { environment: NO_ENVIRONMENT });
  const problems: string[] = [];
  const cases: SuiteCase[] = [];
  for (const name of await yamlNames(join(folder, FOLDER))) {
    const shown = join(FOLDER, name);
    let value: unknown;
    try {
      value = await readYaml(folder, shown);
    } catch (error) {
      if (!(error instanceof ProjectFileProblem)) throw error;
      problems.push(error.message);
      continue;
    }
    const { file, problems: wrong } = parseCases(value, resources);
    problems.push(...wrong.map((problem) => `${shown}: ${problem}`));
    if (file && (slug === undefined || file.workflow === slug)) {
      cases.push(...file.cases.map((each) => ({ workflow: file.workflow, case: each })));
    }
  }
  if (problems.length > 0) throw new Ended(EXIT.blocked, problems.join('\n'));
  if (cases.length === 0) {
    const of = slug === undefined ? '' : ` of ${slug}`;
    throw new Ended(EXIT.blocked, `There are no cases${of} in ${join(folder, FOLDER)}: see docs/testing-workflows.md`);
  }
  return { resources, files, cases };
}
