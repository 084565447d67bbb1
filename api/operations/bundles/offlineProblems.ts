import { agentDefinition, type GivenSettings } from '../../../domain/agent/definition.ts';
import { toolProblems } from '../../../domain/agent/toolProblems.ts';
import { unsupportedSettings } from '../../../domain/agent/unsupportedSettings.ts';
import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import type { BundleKind, BundleResource } from '../../../domain/bundle/bundle.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { ruleProblems } from '../../../domain/object/ruleProblems.ts';
import type { ObjectRules, SchemaLimits } from '../../../domain/object/rules.ts';
import { type ProblemDetail, problemIn } from '../../../domain/problem.ts';
import { dataRules } from '../../../domain/queue/dataRules.ts';
import type { Surroundings } from '../../../domain/workflow/validate.ts';
import { readDefinition } from '../workflows/readDefinition.ts';
import { withBundleApps } from './bundleApps.ts';
import { identified, resolved, shapeProblems, UNKNOWN } from './bundleResources.ts';
import { bundleSurroundings } from './bundleSurroundings.ts';
import { FileNames } from './fileNames.ts';
import { offlineServices } from './offlineServices.ts';
import type { GivenResource } from './resourceCheck.ts';

/**
 * Checks without a database, by the product's rules and catalogue, at the places of `applyProject`. Skips connections,
 * entities, targets of ids, and secrets behind a mask. Limits are the defaults of the settings. Includes warnings.
 */
export async function offlineProblems(
  resources: readonly { kind: string; slug: string; [field: string]: unknown }[],
): Promise<ProblemDetail[]> {
  const services = withBundleApps(offlineServices(), resources);
  const names = new FileNames(UNKNOWN, []);
  const given = identified(resources as BundleResource[], UNKNOWN, { resources: [], rows: [], names, hash: '' });
  const named = given.resources.map((each) => resolved(each, names, services));
  const problems = [...given.problems, ...named.flatMap((each) => each.problems)];
  const surroundings = await bundleSurroundings(named.map(({ given: each }) => each));
  for (const { given: each } of named) {
    const shape = await shapeProblems(each);
    const isReadOn = shape.length === 0 || each.kind === 'workflow';
    const own = isReadOn ? await CHECKS[each.kind](each, services, surroundings(each)) : [];
    const taken = new Set(problems.map(({ path }) => path));
    const found = [...shape, ...own.map((one) => problemIn(each.path, one))];
    problems.push(...found.filter(({ path }) => !taken.has(path)));
  }
  return problems;
}

type OfflineServices = ReturnType<typeof offlineServices>;

type Check = (
  given: GivenResource,
  services: OfflineServices,
  surroundings: Surroundings,
) => ProblemDetail[] | Promise<ProblemDetail[]>;

const CHECKS: Record<BundleKind, Check> = {
  async workflow({ body, id }, services, surroundings) {
    const { validation, inBody } = await readDefinition(body, services, surroundings);
    const itself = body.onFailureWorkflowId === id;
    return [
      ...inBody(validation.problems),
      ...(itself ? [{ path: 'onFailureWorkflowId', message: 'expected a workflow other than this one' }] : []),
    ];
  },
  agent({ body }, { catalogue }) {
    const settings = body as unknown as GivenSettings;
    return [...unsupportedSettings(agentDefinition(settings)), ...toolProblems(catalogue, settings)];
  },
  objectType({ body }, { config }) {
    return ruleProblems({ ...RULES, ...body } as unknown as ObjectRules, limitsOf(config));
  },
  queue({ body: { dataSchema } }, { config }) {
    return isJsonObject(dataSchema) ? ruleProblems(dataRules(dataSchema), limitsOf(config)) : [];
  },
  app: ({ slug, body }, { config, catalogue }) => readApp({ ...body, slug }, appLimits(config), catalogue).problems,
  knowledge: () => [],
  variable: () => [],
};

function limitsOf(config: OfflineServices['config']): SchemaLimits {
  return {
    bytes: config.OBJECT_SCHEMA_MAX_BYTES,
    depth: config.OBJECT_SCHEMA_MAX_DEPTH,
    nodes: config.OBJECT_SCHEMA_MAX_NODES,
  };
}

const RULES = { attributeSchema: null, stateSchema: null, allowUnknownAttributes: false };
