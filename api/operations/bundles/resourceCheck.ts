import type { Need } from '../../../domain/access/stepPermissions.ts';
import type { BundleKind, BundleResource, StoredResource } from '../../../domain/bundle/bundle.ts';
import type { Names } from '../../../domain/bundle/names.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import type { Surroundings } from '../../../domain/workflow/validate.ts';
import type { KnownIds } from '../../../prisma/store/agent/agentReferences.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

/** A resource of the bundle, with ids instead of references. */
export interface GivenResource {
  kind: BundleKind;
  slug: string;
  path: string;
  id: string;
  raw: BundleResource;
  body: JsonObject;
  stored: StoredResource | undefined;
}

export interface Checking {
  services: Services;
  caller: Caller;
  projectId: string;
  names: Names;
  apps: ReadonlyMap<string, string>;
  /** By `<setting> <id>`. */
  known: KnownIds;
  /** By agent id: its sub-agents that lead back to it. */
  cyclic: ReadonlyMap<string, ReadonlySet<string>>;
  surroundings(workflow: GivenResource): Surroundings;
}

/** Problems at their own places, required permissions, and the fields if there is no problem. */
export interface Checked {
  problems: ProblemDetail[];
  needs: Need[];
  fields?: JsonObject;
}

export function wrong(problems: ProblemDetail[], needs: Need[] = []): Checked {
  return { problems, needs };
}

export function besides(head: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'name' && !Object.hasOwn(head, key)));
}

/** Merges given members over stored ones over defaults; ignores unknown members. */
export function overlaid(defaults: JsonObject, { stored, body }: Pick<GivenResource, 'stored' | 'body'>): JsonObject {
  const fields: JsonObject = { ...defaults };
  for (const key of Object.keys(defaults)) {
    const value = body[key] === undefined ? stored?.fields[key] : body[key];
    if (value !== undefined) fields[key] = value;
  }
  return fields;
}
