import { CONNECTION } from './connection/resource.ts';
import { EXECUTION } from './execution/resource.ts';
import { PROJECT } from './project/resource.ts';
import type { Resource } from './resource.ts';
import { VARIABLE } from './variable/resource.ts';
import { WORKFLOW } from './workflow/resource.ts';

/** Every resource by the name that `x-resource` gives. */
export const RESOURCES: ReadonlyMap<string, Resource> = new Map(
  [PROJECT, VARIABLE, CONNECTION, WORKFLOW, EXECUTION].map((resource) => [resource.name, resource]),
);
