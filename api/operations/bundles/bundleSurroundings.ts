import type { Field } from '../../../domain/field.ts';
import { canonicalFields, checkFields } from '../../../domain/fieldDeclaration.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { CompiledRules } from '../../../domain/object/compiledRules.ts';
import type { KnownType } from '../../../domain/workflow/check/entities.ts';
import type { Surroundings } from '../../../domain/workflow/validate.ts';
import { bundleItemRules, bundleTypes } from './bundleRules.ts';
import type { GivenResource } from './resourceCheck.ts';

/** Facts of the store about the workspace outside of a bundle. A member that the caller may not read is undefined. */
export interface StoredNames {
  variables: readonly string[] | undefined;
  types: ReadonlyMap<string, KnownType> | undefined;
  /** Rules of items by the id of their queue. */
  items: ReadonlyMap<string, CompiledRules> | undefined;
  errorWorkflows: ReadonlySet<string>;
}

/** Returns what the resources of a bundle tell about each other, for the check of a workflow among them. */
export async function bundleSurroundings(
  all: readonly GivenResource[],
  stored?: StoredNames,
): Promise<(workflow: GivenResource) => Surroundings> {
  const workflows = all.filter(({ kind }) => kind === 'workflow');
  const fields = new Map(
    workflows.flatMap(({ id, slug, body }) => {
      const declared = declaredFields(body);
      return [
        [`workflowId ${id}`, declared],
        [`slug ${slug}`, declared],
      ] as const;
    }),
  );
  const errorWorkflows = new Set(workflows.map(({ body }) => body.onFailureWorkflowId));
  const variables = new Set(all.filter(({ kind }) => kind === 'variable').map(({ slug }) => slug));
  for (const name of stored?.variables ?? []) variables.add(name);
  const types = await bundleTypes(all);
  const items = bundleItemRules(all);
  // Without a store, the workspace may have others.
  const severity = stored ? 'error' : 'warning';
  const typeOf = (slug: string) => types.get(slug) ?? stored?.types?.get(slug);
  const itemRules = (queueId: string) => (items.has(queueId) ? items.get(queueId) : stored?.items?.get(queueId));
  return ({ id }) => ({
    fieldsOf: ({ by, name }) => fields.get(`${by} ${name}`),
    ...(stored && !stored.variables ? {} : { variables: { names: variables, severity } }),
    ...(stored && !stored.types ? {} : { types: { typeOf, severity } }),
    queues: { rulesOf: itemRules },
    // A workflow outside the bundle may name it too.
    ...(errorWorkflows.has(id) || stored?.errorWorkflows.has(id) ? { isErrorWorkflow: true } : {}),
  });
}

/** Undefined for another trigger than a manual one, or for fields with a mistake. */
function declaredFields({ trigger }: JsonObject): readonly Field[] | undefined {
  if (trigger === undefined || trigger === null) return [];
  if (!isJsonObject(trigger) || trigger.type !== 'manual') return undefined;
  const fields = isJsonObject(trigger.config) ? (trigger.config.fields ?? []) : [];
  if (!Array.isArray(fields) || checkFields(fields, '').length > 0) return undefined;
  return canonicalFields(fields as JsonObject[]);
}
