import { needsOfAgent } from '../../../domain/access/agentPermissions.ts';
import { type AgentDefinition, agentDefinition, type GivenSettings } from '../../../domain/agent/definition.ts';
import { toolProblems } from '../../../domain/agent/toolProblems.ts';
import { unsupportedSettings } from '../../../domain/agent/unsupportedSettings.ts';
import { AGENT_HEAD } from '../../../domain/bundle/defaults.ts';
import { settingsOf } from '../../../domain/bundle/forms.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { problemsOfNamed } from '../agents/referenceProblems.ts';
import { besides, type Checked, type Checking, type GivenResource, overlaid, wrong } from './resourceCheck.ts';

/** Absent settings get their defaults, as in an upsert; entities stay, since no bundle names them. */
export function checkAgent(given: GivenResource, { services, known, cyclic }: Checking): Checked {
  const { body, stored, slug, id } = given;
  const whole = { objectIds: stored?.fields.objectIds ?? [], ...besides(AGENT_HEAD, body) } as unknown as GivenSettings;
  const definition = agentDefinition(whole);
  const problems = [...unsupportedSettings(definition), ...toolProblems(services.catalogue, whole)];
  const needs = problems.length === 0 ? needsOfAgent(whole, services.catalogue) : [];
  const own = new Map(known);
  own.delete(`subAgentIds ${id}`);
  const named = problemsOfNamed(whole, {
    known: own,
    cyclic: cyclic.get(id) ?? new Set(),
    catalogue: services.catalogue,
  });
  if (problems.length + named.length > 0) return wrong([...problems, ...named], needs);
  const fields = {
    ...overlaid({ name: slug, ...AGENT_HEAD }, given),
    ...(settingsOf(definition) as unknown as JsonObject),
  };
  return { problems: [], needs, fields };
}

export function agentDefinitionIn(fields: JsonObject): AgentDefinition {
  return agentDefinition(besides(AGENT_HEAD, fields) as unknown as GivenSettings);
}
