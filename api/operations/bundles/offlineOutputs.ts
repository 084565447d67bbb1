import { buildCatalogue } from '../../../activities/apps/catalogue.ts';
import { readConfig } from '../../../config.ts';
import type { BundleResource } from '../../../domain/bundle/bundle.ts';
import { type WorkflowOutputs, workflowOutputs } from '../../../domain/outputs/workflowOutputs.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { readDefinition } from '../workflows/readDefinition.ts';
import { FileNames } from './fileNames.ts';
import { identified, resolved, UNKNOWN } from './givenResources.ts';

/**
 * What is known of the outputs of workflows that stand in files, by slug, by the catalogue of this package. One that
 * offlineProblems complains about is left out.
 */
export async function offlineOutputs(
  resources: readonly { kind: string; slug: string; [field: string]: unknown }[],
): Promise<Map<string, WorkflowOutputs>> {
  const config = readConfig({});
  const services = {
    catalogue: buildCatalogue({ testing: config.ENABLE_TESTING_APP, gitHubUrl: config.GITHUB_URL }),
    config,
  };
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
