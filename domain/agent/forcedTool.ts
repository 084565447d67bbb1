import type { UIMessage } from 'ai';
import { toolNameOf } from './toolPart.ts';

/**
 * The tool that the model must call next: the first of the agent's forced tools that the message has no call of yet, whatever
 * became of it. Undefined where it is free.
 */
export function forcedTool(forcedTools: readonly string[], { parts }: Pick<UIMessage, 'parts'>): string | undefined {
  const called = new Set(parts.map(toolNameOf));
  return forcedTools.find((name) => !called.has(name));
}
