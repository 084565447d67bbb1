import { join } from 'node:path';
import { z } from 'zod';
import type { BundleResource } from '../domain/bundle/bundle.ts';
import { VARIABLES_FILE } from '../domain/bundle/folders.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { pathTo } from '../domain/place.ts';
import { type FileResource as Resource, readYaml, yamlNames } from '../embedded/projectFiles.ts';
import type { FileProblem } from './fileProblems.ts';
import { shapeProblems } from './shapeProblems.ts';

const FOLDER = 'overlays';

/** `overlays/<context>.yaml`: what differs in one deployment. */
export interface Overlay {
  file: string;
  /** Values by the name of the variable. */
  variables: ReadonlyMap<string, Json>;
  /** Slugs of connections by the slug that the files name. */
  connections: ReadonlyMap<string, string>;
}

const OVERLAY = z
  .strictObject({
    variables: z.record(z.string(), z.json()).optional().describe('values of variables of variables.yaml'),
    connections: z
      .record(z.string(), z.string().min(1))
      .optional()
      .describe('by the slug of a connection that the files name: the slug in this context'),
  })
  .describe('Values of one context: docs/project-as-code.md');

export function overlaySchema(): object {
  return z.toJSONSchema(OVERLAY, { io: 'input' });
}

export interface Overlays {
  byContext: ReadonlyMap<string, Overlay>;
  problems: FileProblem[];
}

/** Reads all overlays of a folder. Throws ProjectFileProblem. */
export async function readOverlays(folder: string): Promise<Overlays> {
  const byContext = new Map<string, Overlay>();
  const problems: FileProblem[] = [];
  for (const name of await yamlNames(join(folder, FOLDER))) {
    const file = join(FOLDER, name);
    const parsed = OVERLAY.safeParse((await readYaml(folder, file)) ?? {});
    if (!parsed.success) {
      problems.push(...shapeProblems(file, OVERLAY, parsed.error));
      continue;
    }
    const { variables = {}, connections = {} } = parsed.data;
    byContext.set(name.replace(/\.ya?ml$/, ''), {
      file,
      variables: new Map(Object.entries(variables as JsonObject)),
      connections: new Map(Object.entries(connections)),
    });
  }
  return { byContext, problems };
}

/** Reports variables and connections that the files of the folder do not name. */
export async function unknownNames({ byContext }: Overlays, resources: readonly Resource[]): Promise<FileProblem[]> {
  const overlays = [...byContext.values()];
  const variables = new Set(resources.flatMap(({ kind, slug }) => (kind === 'variable' ? [slug] : [])));
  const connections = overlays.some((each) => each.connections.size > 0) ? await connectionsIn(resources) : new Set();
  return overlays.flatMap(({ file, ...overlay }) => [
    ...[...overlay.variables.keys()]
      .filter((name) => !variables.has(name))
      .map((name) => problem(file, 'variables', name, `${VARIABLES_FILE} has no variable ${name}`)),
    ...[...overlay.connections.keys()]
      .filter((slug) => !connections.has(slug))
      .map((slug) => problem(file, 'connections', slug, `no file names @connection/${slug}`)),
  ]);
}

function problem(file: string, member: string, name: string, message: string): FileProblem {
  return { file, path: pathTo(member, name), message };
}

async function connectionsIn(resources: readonly Resource[]): Promise<Set<string>> {
  const { withConnections } = await import('../api/operations/bundles/offlineConnections.ts');
  const found = new Set<string>();
  withConnections(resources as BundleResource[], (slug) => {
    found.add(slug);
    return slug;
  });
  return found;
}

/** Replaces slugs of connections in the definitions. */
export async function withSlugs(
  resources: readonly Resource[],
  slugs: ReadonlyMap<string, string>,
): Promise<Resource[]> {
  if (slugs.size === 0) return [...resources];
  const { withConnections } = await import('../api/operations/bundles/offlineConnections.ts');
  return withConnections(resources as BundleResource[], (slug) => slugs.get(slug) ?? slug) as Resource[];
}
