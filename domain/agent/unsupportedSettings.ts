import type { ProblemDetail } from '../problem.ts';
import type { AgentDefinition } from './definition.ts';

/** Settings that this deployment rejects, unless they are off, empty or null, with the reason. */
const UNSUPPORTED: Partial<Record<keyof AgentDefinition, string>> = {
  phoneAccess: 'this deployment has no telephone',
  webAccess: 'this deployment has no search provider; use the action http.request to read a page',
  a2aAgents: "other systems' agents are not supported; use subAgentIds or mcpServers",
};

export function unsupportedSettings(definition: AgentDefinition): ProblemDetail[] {
  return Object.entries(UNSUPPORTED).flatMap(([name, why]) =>
    asksForSomething(definition[name as keyof AgentDefinition])
      ? [{ path: name, message: `is not supported: ${why}` }]
      : [],
  );
}

function asksForSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== false && value !== null;
}
