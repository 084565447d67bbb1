import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { type FileProblem, fileProblems, fileProblemText } from '../fileProblems.ts';
import type { Place } from '../place.ts';
import { type Bundle, planOf, projectOf } from '../planOf.ts';
import { withLines } from '../problemLines.ts';
import { type Folder, type Resource, readFolder, requireFiles } from '../projectFolder.ts';

/** Uses the rules and the catalogue of this package; with --remote, those of the server. */
export const validate: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const read = await readFolder(folder, { context: options.text('context') });
  const { resources, files, fill, problems: ofNames } = read;
  if (ofNames.length === 0) requireFiles(folder, resources);
  const found = options.isSet('remote')
    ? await remoteProblems(await place(), read)
    : fileProblems(await offline(resources), read);
  // A text cannot be checked while its variable is not set.
  const unknown = new Set([...ofNames, ...fill.unset].map(placeOf));
  const all = [...ofNames, ...fill.values.masked(found.filter((each) => !unknown.has(placeOf(each))))];
  const problems = (await withLines(folder, all)).map((each) => ({ code: 'INVALID', severity: 'error', ...each }));
  const isValid = problems.every(({ severity }) => severity === 'warning');
  const count = new Set(files).size;
  out.value({ valid: isValid, files: count, problems }, () =>
    [
      ...problems.map(fileProblemText),
      ...(isValid ? [`${count} ${count === 1 ? 'file is' : 'files are'} valid.`] : []),
    ].join('\n'),
  );
  return isValid ? EXIT.done : EXIT.blocked;
};

function placeOf({ file, path }: FileProblem): string {
  return `${file} ${path}`;
}

async function offline(resources: Resource[]) {
  const { offlineProblems } = await import('../../api/operations/bundles/offlineProblems.ts');
  return offlineProblems(resources);
}

async function remoteProblems(here: Place, { resources, settings, ...inFolder }: Folder): Promise<FileProblem[]> {
  const { owner, moved, project } = settings;
  const bundle: Bundle = { resources, delete: false, dryRun: true, moved, ...(owner === undefined ? {} : { owner }) };
  const answer = await planOf(here, await projectOf(here, project), bundle, inFolder);
  return 'problems' in answer ? answer.problems : [];
}
