import type { Field } from '../../../domain/field.ts';
import { canonicalFields, checkFields } from '../../../domain/fieldDeclaration.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { Surroundings } from '../../../domain/workflow/validate.ts';
import type { GivenResource } from './resourceCheck.ts';

/** Returns what the resources of a bundle tell about each other, for the check of a workflow among them. */
export function bundleSurroundings(all: readonly GivenResource[]): (workflow: GivenResource) => Surroundings {
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
  return ({ id }) => ({
    fieldsOf: ({ by, name }) => fields.get(`${by} ${name}`),
    // The workspace may have others.
    variables: { names: variables, severity: 'warning' },
    // A workflow outside the bundle may name it too.
    ...(errorWorkflows.has(id) ? { isErrorWorkflow: true } : {}),
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
