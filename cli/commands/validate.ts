import type { Handler, Invocation } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { type FileProblem, fileProblems, fileProblemText } from '../fileProblems.ts';
import { planOf, projectOf } from '../planOf.ts';
import { withLines } from '../problemLines.ts';
import { type Resource, readFolder, requireFiles } from '../projectFolder.ts';

/** Uses the rules and the catalogue of this package; with --remote, those of the server. */
export const validate: Handler = async ({ arguments: [folder = '.'], options, out, place }) => {
  const { resources, files, filled, problems: ofNames, unset } = await readFolder(folder);
  requireFiles(folder, resources);
  const found = options.isSet('remote')
    ? await remoteProblems(place, resources, files)
    : fileProblems(await offline(resources), files);
  // A text cannot be checked while its variable is not set.
  const unknown = new Set([...ofNames, ...unset].map(placeOf));
  const all = [...ofNames, ...filled.masked(found.filter((each) => !unknown.has(placeOf(each))))];
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
  return `${file} ${path.replace(/^\[\d+\]\.?/, '')}`;
}

async function offline(resources: Resource[]) {
  const { offlineProblems } = await import('../../api/operations/bundles/offlineProblems.ts');
  return offlineProblems(resources);
}

async function remoteProblems(
  place: Invocation['place'],
  resources: Resource[],
  files: string[],
): Promise<FileProblem[]> {
  const here = await place();
  const answer = await planOf(here, await projectOf(here), { resources, delete: false, dryRun: true }, files);
  return 'problems' in answer ? answer.problems : [];
}
