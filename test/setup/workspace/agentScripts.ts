import type { ModelRequest } from '../providers/modelRequest.ts';
import type { ModelStep } from '../providers/modelScript.ts';
import type { AgentHome } from './agentHome.ts';

/** Scripts the responses for each agent, identified by its instructions, in order. */
export function scriptAgents(home: AgentHome, scripts: Readonly<Record<string, ModelStep[][]>>): void {
  const left = new Map(Object.entries(scripts).map(([name, answers]) => [name, [...answers]]));
  home.provider.answerBy((request) => left.get(instructionsOf(request))?.shift() ?? [{ status: 400 }]);
}

export function requestsOf(home: AgentHome, instructions: string): ModelRequest[] {
  return home.provider.requests.filter((request) => instructionsOf(request) === instructions);
}

function instructionsOf({ body }: ModelRequest): string {
  return String(body.messages.find(({ role }) => role === 'system')?.content ?? '');
}
