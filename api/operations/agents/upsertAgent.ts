import { needsOfAgent } from '../../../domain/access/agentPermissions.ts';
import { agentDefinition, type GivenSettings } from '../../../domain/agent/definition.ts';
import { definitionRow } from '../../../domain/agent/definitionRow.ts';
import { toolProblems } from '../../../domain/agent/toolProblems.ts';
import { unsupportedSettings } from '../../../domain/agent/unsupportedSettings.ts';
import type { Json } from '../../../domain/json.ts';
import { placed } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { upsertAgent as store } from '../../../prisma/store/agent/upsertAgent.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { exposureProblems } from '../../mcp/exposureProblems.ts';
import type { Operation } from '../../operation.ts';
import { referenceProblems } from './referenceProblems.ts';

/** Requires the permissions of everything that the agent reaches, since its users need only `agents:use`. */
export const upsertAgent: Operation<'upsertAgent'> = async ({ body, caller, params, ...request }) => {
  const { workspaceId } = caller;
  const { projectId } = params;
  const { resourceId, services, expected } = request;
  const {
    slug,
    name,
    description,
    managedByCode = true,
    builderSetupCompletedAt,
    builderCanvasPositions,
    ...given
  } = body;
  const settings = given as GivenSettings;
  const definition = agentDefinition(settings);
  const wrong = [...unsupportedSettings(definition), ...toolProblems(services.catalogue, settings)];
  if (wrong.length === 0) requireNeeds(caller, needsOfAgent(settings, services.catalogue));
  const tool = { kind: 'agent', slug, exposeAsTool: settings.exposeAsTool } as const;
  const errors = [
    ...wrong,
    ...(await referenceProblems(services, caller, { projectId, slug }, settings)),
    ...(await exposureProblems(services, caller, projectId, [tool])),
  ];
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
  const stored = await store(services.database, workspaceId, {
    agentId: resourceId,
    projectId,
    slug,
    name,
    description,
    builderSetupCompletedAt,
    builderCanvasPositions: builderCanvasPositions as Json | undefined,
    managedByCode,
    ...definitionRow(definition, services.catalogue),
    expected,
  });
  if (!stored) throw notFound(PROJECT);
  const { tag, ...agent } = stored;
  return withRowTag({ ...agent, created: agent.id === resourceId }, tag);
};
