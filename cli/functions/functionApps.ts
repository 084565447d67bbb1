import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../../domain/json.ts';
import type { FileResource as Resource } from '../../embedded/projectFiles.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import type { FileProblem } from '../fileProblems.ts';
import { bundleCode } from './bundleCode.ts';
import { describeBundle } from './describeBundle.ts';
import { guestModule } from './guestModule.ts';

const FOLDER = 'functions';
/** A file whose name begins with _ is a part of others, and so is a test. */
const SOURCE = /^(?<slug>[A-Za-z][\w-]*)\.(ts|mts|js|mjs)$/;

export interface FunctionApps {
  /** By the file that declares them. */
  stored: Map<string, Resource[]>;
  /** The code of each bundle, by its digest. */
  contents: Map<string, string>;
  problems: FileProblem[];
}

/**
 * Bundles `functions/<slug>.ts` on this machine. The file alone is an app; `apps/<slug>.yaml` adds a name, a description
 * and types of connections to it.
 */
export async function withFunctionApps(folder: string, stored: ReadonlyMap<string, Resource[]>): Promise<FunctionApps> {
  const made: FunctionApps = { stored: new Map(stored), contents: new Map(), problems: [] };
  const declared = new Map(
    [...stored].flatMap(([file, resources]) =>
      resources.flatMap((each) => (isFunctionApp(each) ? [[each.slug, { file, each }]] : [])),
    ) as [string, { file: string; each: Resource }][],
  );
  for (const name of await sourcesIn(join(folder, FOLDER))) {
    const slug = SOURCE.exec(name)?.groups?.slug ?? name;
    const source = `${FOLDER}/${name}`;
    const { file, each } = declared.get(slug) ?? {
      file: source,
      each: { kind: 'app', slug, runs: { on: 'function' } },
    };
    declared.delete(slug);
    const app = await functionApp(folder, source, each, made);
    if (app) made.stored.set(file, [app]);
  }
  for (const [slug, { file, each }] of declared) {
    // Pulled without its source: it keeps the stored bundle.
    if ((each.runs as { bundle?: unknown }).bundle !== undefined) continue;
    made.problems.push({ file, path: 'runs.on', message: `there is no ${FOLDER}/${slug}.ts` });
    made.stored.delete(file);
  }
  return made;
}

async function functionApp(
  folder: string,
  source: string,
  declared: Resource,
  made: FunctionApps,
): Promise<Resource | undefined> {
  const { code, problems } = await bundleCode({
    folder,
    entry: `import * as own from './${source}';
import { functionGuest } from 'perdure/guest';
export const { describe, run } = functionGuest(own);`,
    file: source,
    modules: {
      'perdure/guest': guestModule('functionGuest'),
      'perdure-client/functions': join(PROJECT_ROOT, 'client/dist/functions.js'),
    },
  });
  const refuse = (message: string, place: { line?: number; column?: number } = {}) => {
    made.problems.push({ file: source, path: '', message, ...place });
  };
  if (problems.length > 0) {
    made.problems.push(...problems);
    return undefined;
  }
  try {
    const described = (await describeBundle(code, source)) as { actions: Json[] };
    if (described.actions.length === 0) refuse('exports no action: expected export const name = defineAction({…})');
    const bundle = createHash('sha256').update(code).digest('hex');
    made.contents.set(bundle, code);
    return { ...declared, actions: described.actions, runs: { on: 'function', bundle } };
  } catch (error) {
    const { message } = error as Error;
    const [, text = message, line, column] = /^(.*) \([^()]+:(\d+):(\d+)\)$/s.exec(message) ?? [];
    refuse(text, line === undefined ? {} : { line: Number(line), column: Number(column) });
    return undefined;
  }
}

/** An app whose actions are functions, with or without their source in the folder. */
export function isFunctionApp({ kind, runs }: Resource): boolean {
  return kind === 'app' && isJsonObject(runs as Json) && (runs as { on?: unknown }).on === 'function';
}

async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => SOURCE.test(name) && !/\.(test|d)\./.test(name)).sort();
}
