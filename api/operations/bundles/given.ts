import type { Need } from '../../../domain/access/stepPermissions.ts';
import type { BundleKind, BundleResource, StoredResource } from '../../../domain/bundle/bundle.ts';
import type { Names } from '../../../domain/bundle/names.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import type { KnownIds } from '../../../prisma/store/agent/agentReferences.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

/** A resource of the bundle, with ids in the place of its references. */
export interface GivenResource {
  kind: BundleKind;
  slug: string;
  /** Its place in the body: `resources[3]`. */
  path: string;
  /** Of the stored one, or for the one that comes to be made. */
  id: string;
  /** As the body has it. */
  raw: BundleResource;
  /** Without kind and slug. */
  body: JsonObject;
  stored: StoredResource | undefined;
}

/** What the checks of all resources of a bundle share. */
export interface Checking {
  services: Services;
  caller: Caller;
  projectId: string;
  /** With the resources of the bundle. */
  names: Names;
  /** Apps by the id of a connection. */
  apps: ReadonlyMap<string, string>;
  /** What agents name, by `<setting> <id>`. */
  known: KnownIds;
  /** For each agent of the bundle by its id: its sub-agents that lead back to it. */
  cyclic: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What is wrong with it, at its own places, and what it needs; its fields where nothing is wrong. */
export interface Checked {
  problems: ProblemDetail[];
  needs: Need[];
  /** All fields, as they will be stored. */
  fields?: JsonObject;
}

export function wrong(problems: ProblemDetail[], needs: Need[] = []): Checked {
  return { problems, needs };
}

/** The fields of a resource beside its name and those that its kind has as `head`: its definition. */
export function besides(head: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'name' && !Object.hasOwn(head, key)));
}

/** The given members over the stored ones, over the defaults of a new resource; others are passed over. */
export function overlaid(defaults: JsonObject, { stored, body }: Pick<GivenResource, 'stored' | 'body'>): JsonObject {
  const fields: JsonObject = { ...defaults };
  for (const key of Object.keys(defaults)) {
    const value = body[key] === undefined ? stored?.fields[key] : body[key];
    if (value !== undefined) fields[key] = value;
  }
  return fields;
}
