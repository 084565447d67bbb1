import { v7 } from 'uuid';
import { type BundleResource, keyOf, type StoredResource } from '../../../domain/bundle/bundle.ts';
import type { Names } from '../../../domain/bundle/names.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { inPath, pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { withReferences } from '../../../domain/reference/references.ts';
import { bodyProblems } from '../../pipeline/bodyProblems.ts';
import type { Services } from '../../services.ts';
import type { ProjectState } from './projectState.ts';
import type { GivenResource } from './resourceCheck.ts';

export interface Given {
  resources: GivenResource[];
  problems: ProblemDetail[];
}

/** Assigns ids, so that resources can name each other in any order and in cycles; adds them to `state.names`. */
export function identified(resources: readonly BundleResource[], projectId: string, state: ProjectState): Given {
  const stored = new Map(state.resources.map((each) => [keyOf(each), each]));
  const seen = new Map<string, string>();
  const problems: ProblemDetail[] = [];
  const given = resources.flatMap((raw, index): GivenResource[] => {
    const path = pathTo('resources', index);
    const first = seen.get(keyOf(raw));
    if (first !== undefined) {
      problems.push({ path: pathTo(path, 'slug'), message: `${first} is the same ${raw.kind}: expected it once` });
      return [];
    }
    seen.set(keyOf(raw), path);
    const present: StoredResource | undefined = stored.get(keyOf(raw));
    const { kind, slug, ...body } = raw;
    const id = present?.id ?? v7();
    if (kind !== 'app') state.names.add({ kind, slug, id, projectId: projectId.toLowerCase() });
    return [{ kind, slug, path, id, raw, body, stored: present }];
  });
  return { resources: given, problems };
}

/** Replaces references by ids; reports unresolved ones at their places in the body. */
export function resolved(
  given: GivenResource,
  names: Names,
  { catalogue }: Pick<Services, 'catalogue'>,
): { given: GivenResource; problems: ProblemDetail[] } {
  const { kind, path } = given;
  if (kind !== 'workflow' && kind !== 'agent' && kind !== 'objectType') return { given, problems: [] };
  const problems: ProblemDetail[] = [];
  const body = withReferences(kind, given.body, catalogue, (reference) => {
    const found = names.resolve(reference);
    if ('name' in found) return found.name;
    problems.push({ path: inPath(path, reference.path), message: found.problem });
    // A well-formed id avoids a second problem at this place.
    return UNKNOWN;
  });
  return { given: { ...given, body }, problems };
}

export const UNKNOWN = '00000000-0000-7000-8000-000000000000';

export async function shapeProblems(given: GivenResource): Promise<ProblemDetail[]> {
  const found = await bodyProblems(...requestOf(given));
  return found.map(({ path, message }) => ({ path: placeOf(given, path), message }));
}

function placeOf({ kind, path }: GivenResource, place: string): string {
  return inPath(path, kind === 'variable' && place === 'name' ? 'slug' : place);
}

const NIL = '00000000-0000-0000-0000-000000000000';

function requestOf({ kind, slug, body, stored }: GivenResource): Parameters<typeof bodyProblems> {
  const named: JsonObject = { slug, ...body };
  switch (kind) {
    case 'workflow':
      return ['upsertWorkflow', `/api/projects/${NIL}/workflows/upsert`, named];
    case 'agent':
      return ['upsertAgent', `/api/projects/${NIL}/agents/upsert`, named];
    case 'app':
      return ['upsertApp', `/api/projects/${NIL}/apps/upsert`, named];
    case 'objectType':
      return ['upsertObjectType', '/api/object-types/upsert', named];
    case 'queue':
      return ['createQueue', `/api/queues?projectId=${NIL}`, { name: slug, ...named }];
    case 'knowledge':
      return ['createKnowledge', '/api/knowledge', { name: slug, ...named }];
    case 'variable':
      // A stored variable keeps a value that the body omits.
      return ['createVariable', '/api/variables', { ...(stored ? { value: null } : {}), ...body, name: slug }];
  }
}
