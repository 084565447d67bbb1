import { writeFile } from 'node:fs/promises';
import type { Handler } from '../commandSpec.ts';
import { EXIT } from '../exitCode.ts';
import { readResources, requireFiles } from '../projectFolder.ts';
import { readIfPresent } from '../readIfPresent.ts';
import { declarationsOf } from '../types/declarations.ts';

const DEFAULT_FILE = 'perdure.d.ts';

export const types: Handler = async ({ arguments: [folder = '.'], options, out }) => {
  const resources = await readResources(folder);
  requireFiles(folder, resources);
  const { offlineOutputs } = await import('../../api/operations/bundles/offlineOutputs.ts');
  const outputs = await offlineOutputs(resources);
  for (const { kind, slug } of resources) {
    if (kind !== 'workflow' || outputs.has(slug)) continue;
    out.note(`${slug} is not valid, so its output is unknown: perdure validate ${folder}`);
  }
  const text = declarationsOf(resources, outputs);
  const file = options.text('out');
  if (options.isSet('check')) {
    const target = file ?? DEFAULT_FILE;
    const present = await readIfPresent(target);
    if (present === text) return EXIT.done;
    out.note(
      `${target} ${present === undefined ? 'does not exist' : 'is out of date'}: perdure types ${folder} -o ${target}`,
    );
    return EXIT.changes;
  }
  if (file === undefined) {
    out.raw(text);
    return EXIT.done;
  }
  await writeFile(file, text);
  out.note(`wrote ${file}`);
  return EXIT.done;
};
