import { join } from 'node:path';
import type { CaseSuite, SuiteCase } from '../cases/caseSuite.ts';
import { ProjectFileProblem, readYaml, yamlNames } from '../embedded/projectFiles.ts';
import { Ended, EXIT } from './exitCode.ts';
import { type Resource, readFolder } from './projectFolder.ts';

export const CASE_FOLDER = 'tests';
/** Tests read no environment variables; the texts keep the names. */
const NO_ENVIRONMENT = {};

export interface ReadSuite extends CaseSuite {
  folder: string;
  resources: Resource[];
  /** The file of each resource. */
  files: readonly string[];
}

/**
 * Reads the folder and the cases of `tests/`, optionally only those of one workflow, or with these names. Exits with 4
 * and every mistake in a file.
 */
export async function readSuite(folder: string, slug?: string, names: readonly string[] = []): Promise<ReadSuite> {
  const { parseCases } = await import('../cases/parseCases.ts');
  const { resources, files } = await readFolder(folder, { environment: NO_ENVIRONMENT });
  const problems: string[] = [];
  const all: SuiteCase[] = [];
  for (const name of await yamlNames(join(folder, CASE_FOLDER))) {
    const shown = join(CASE_FOLDER, name);
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
      all.push(...file.cases.map((each, index) => ({ workflow: file.workflow, file: shown, index, case: each })));
    }
  }
  if (problems.length > 0) throw new Ended(EXIT.blocked, problems.join('\n'));
  if (all.length === 0) {
    const of = slug === undefined ? '' : ` of ${slug}`;
    throw new Ended(
      EXIT.blocked,
      `There are no cases${of} in ${join(folder, CASE_FOLDER)}: see docs/testing-workflows.md`,
    );
  }
  return { folder, resources, files, cases: named(all, names) };
}

const MAX_NAMED = 20;

/** A name chooses the cases that have it or, if none has it, those whose names contain it; case is ignored. */
function named(cases: SuiteCase[], names: readonly string[]): SuiteCase[] {
  if (names.length === 0) return cases;
  const chosen = new Set<SuiteCase>();
  for (const name of names) {
    const equal = cases.filter((each) => each.case.name === name);
    const part = name.toLowerCase();
    const found = equal.length > 0 ? equal : cases.filter((each) => each.case.name.toLowerCase().includes(part));
    if (found.length === 0) {
      const some = cases.slice(0, MAX_NAMED).map((each) => `\n  ${each.case.name}`);
      throw new Ended(EXIT.blocked, `There is no case ${name}. There are:${some.join('')}`);
    }
    for (const each of found) chosen.add(each);
  }
  return cases.filter((each) => chosen.has(each));
}
