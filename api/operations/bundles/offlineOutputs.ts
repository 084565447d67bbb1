import type { BundleResource } from '../../../domain/bundle/bundle.ts';
import { type WorkflowOutputs, workflowOutputs } from '../../../domain/outputs/workflowOutputs.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { readDefinition } from '../workflows/readDefinition.ts';
import { withBundleApps } from './bundleApps.ts';
import { identified, resolved, UNKNOWN } from './bundleResources.ts';
import { FileNames } from './fileNames.ts';
import { offlineServices } from './offlineServices.ts';

/** Infers outputs of workflows in files by slug, with this package's catalogue. Omits invalid workflows. */
export async function offlineOutputs(
  resources: readonly { kind: string; slug: string; [field: string]: unknown }[],
): Promise<Map<string, WorkflowOutputs>> {
  const services = withBundleApps(offlineServices(), resources);
  const names = new FileNames(UNKNOWN, []);
  const given = identified(resources as BundleResource[], UNKNOWN, { resources: [], rows: [], names, hash: '' });
  const definitions = new Map<string, Definition>();
  const slugById = new Map<string, string>();
  for (const each of given.resources) {
    if (each.kind !== 'workflow') continue;
    const { body } = resolved(each, names, services).given;
    const { validation } = await readDefinition(body, services);
    slugById.set(each.id, each.slug);
    if (validation.definition) definitions.set(each.slug, validation.definition);
  }
  return workflowOutputs(definitions, slugById, services.catalogue);
}
