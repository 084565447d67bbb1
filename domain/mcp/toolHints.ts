import { type Catalogue, findAction } from '../app/manifest.ts';
import type { Definition } from '../workflow/definition.ts';

/** The annotations of a tool, as MCP names them. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
}

/** The protocol's defaults, for steps whose effects are unknown. */
export const UNKNOWN_HINTS: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

/** Combines the effects of all steps. Another workflow that a step starts may have any effect. */
export function toolHints({ nodes }: Pick<Definition, 'nodes'>, catalogue: Catalogue): ToolHints {
  const actions = nodes
    .filter(({ type }) => type === 'action')
    .map(({ appId = '', actionId = '' }) => findAction(catalogue, appId, actionId));
  if (nodes.some(({ type }) => type === 'runWorkflow') || actions.includes(undefined)) return UNKNOWN_HINTS;
  return {
    readOnlyHint: actions.every((action) => action?.effect === 'read'),
    destructiveHint: actions.some((action) => action?.effect === 'destructive'),
    idempotentHint: actions.every((action) => action?.repeatable === true),
  };
}
