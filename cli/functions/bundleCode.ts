import { readFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
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
  /** Default: true. Places in errors are then those of the sources. */
  hasSourceMap?: boolean;
  /** Default: false. True: a package that a package does not find is missing when it is used, not before. */
  allowsMissing?: boolean;
}

/** The same sources give the same bytes on each machine: nothing in them depends on the folder's place. */
export async function bundleCode(given: ToBundle): Promise<Bundled> {
  const { entry, file, modules, hasSourceMap = true, allowsMissing = false } = given;
  const folder = resolve(given.folder);
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      ...{ stdin: { contents: entry, resolveDir: folder, sourcefile: 'perdure-entry.js', loader: 'js' } },
      ...{ absWorkingDir: folder, outfile: join(folder, 'bundle.js'), write: false, bundle: true },
      ...{ platform: 'node', format: 'cjs', target: 'node20.19', charset: 'utf8', legalComments: 'none' },
      ...{ sourcemap: hasSourceMap && 'inline', sourcesContent: false, logLevel: 'silent', treeShaking: true },
      // Bundled code has no loader for `import()`, but it has `require`.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '"file:///bundle.js"' },
      plugins: [ownModules(modules), ...(allowsMissing ? [missingPackages] : [])],
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
  const namespace = 'perdure';
  return {
    name: 'perdure',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^perdure/ }, ({ path }) =>
        path in modules ? { path, namespace, pluginData: modules[path] } : undefined,
      );
      onResolve({ filter: /^\./, namespace }, ({ path, importer, pluginData }) => ({
        ...{ path: posix.join(posix.dirname(importer), path), namespace },
        pluginData: join(dirname(pluginData as string), path),
      }));
      onLoad({ filter: /.*/, namespace }, async ({ pluginData: file }: { pluginData: string }) => ({
        ...{ contents: await readFile(file, 'utf8'), pluginData: file },
      }));
    },
  };
}

const RESOLVED_HERE = 'resolved here';

/** Packages require optional peers that nobody installed. */
const missingPackages: Plugin = {
  name: 'missing-packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, importer, kind, namespace, resolveDir }) => {
      if (pluginData === RESOLVED_HERE || !importer.includes('node_modules')) return undefined;
      const asked = { importer, kind, namespace, resolveDir, pluginData: RESOLVED_HERE };
      const found = await resolve(path, asked);
      return found.errors.length === 0 ? found : { path, external: true };
    });
  },
};
