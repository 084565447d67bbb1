import type { AgentDefinition } from '../../domain/agent/definition.ts';
import type { OfferedTool } from '../../domain/agent/tool.ts';
import type { ActivityServices } from '../services.ts';
import { actionTools } from './tools/action.ts';

/** All tools of an agent, by name. A tool that the catalogue has no more is not offered. */
export function offeredTools(services: ActivityServices, definition: AgentDefinition): Map<string, OfferedTool> {
  return new Map(actionTools(services.catalogue, definition).map((tool) => [tool.name, tool]));
}
