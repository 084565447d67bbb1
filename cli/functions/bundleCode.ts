import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildFailure, Message, Plugin } from 'esbuild';
import type { FileProblem } from '../fileProblems.ts';

export const MAX_BUNDLE_BYTES = 5 * 1_048_576;

export interface Bundled {
  code: string;
  problems: FileProblem[];
}

export interface ToBundle {
  folder: string;
  /** Source of the entry. It may import files of the folder, its packages, and `modules`. */
  entry: string;
  /** The file that problems without a place belong to. */
  file: string;
  /** Files of this package by the name under which the code imports them. */
  modules: Readonly<Record<string, string>>;
}

/** The same sources give the same bytes on each machine: nothing in them depends on the folder's place. */
export async function bundleCode({ folder, entry, file, modules }: ToBundle): Promise<Bundled> {
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      ...{ stdin: { contents: entry, resolveDir: folder, sourcefile: 'perdure-entry.js', loader: 'js' } },
      ...{ absWorkingDir: folder, outfile: join(folder, 'bundle.js'), write: false, bundle: true },
      ...{ platform: 'node', format: 'cjs', target: 'node20.19', charset: 'utf8', legalComments: 'none' },
      ...{ sourcemap: 'inline', sourcesContent: false, logLevel: 'silent', treeShaking: true },
      // Bundled code has no loader for `import()`, but it has `require`.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '"file:///bundle.js"' },
      plugins: [ownModules(modules)],
    });
    const [{ text: code = '' } = { text: '' }] = outputFiles;
    const bytes = Buffer.byteLength(code);
    if (bytes <= MAX_BUNDLE_BYTES) return { code, problems: [] };
    const message = `the bundle has ${bytes} bytes, at most ${MAX_BUNDLE_BYTES} are allowed`;
    return { code, problems: [{ file, path: '', message }] };
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    return { code: '', problems: errors.map((each) => problemOf(each, file)) };
  }
}

function problemOf({ text, location }: Message, file: string): FileProblem {
  if (location === null) return { file, path: '', message: text };
  return { file: location.file, path: '', message: text, line: location.line, column: location.column + 1 };
}

/** A namespace of its own keeps the place of this package out of the bundle. */
function ownModules(modules: ToBundle['modules']): Plugin {
  return {
    name: 'perdure',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^perdure/ }, ({ path }) => (path in modules ? { path, namespace: 'perdure' } : undefined));
      onLoad({ filter: /.*/, namespace: 'perdure' }, async ({ path }) => ({
        contents: await readFile(modules[path] as string, 'utf8'),
      }));
    },
  };
}
