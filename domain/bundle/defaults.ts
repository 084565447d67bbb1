import type { JsonObject } from '../json.ts';

/** Fields of a new workflow besides its name and its definition. */
export const WORKFLOW_HEAD: JsonObject = {
  description: null,
  isActive: true,
  isInternal: false,
  orientation: 'horizontal',
  timeoutMs: null,
  maxConcurrent: null,
  onFailureWorkflowId: null,
};

/** Fields of a new agent besides its name and its settings. */
export const AGENT_HEAD: JsonObject = {
  description: null,
  builderSetupCompletedAt: null,
  builderCanvasPositions: null,
};

export const QUEUE_DEFAULTS: JsonObject = {
  description: null,
  priority: 0,
  isActive: true,
  maxRetries: 3,
  retryDelayMinutes: 5,
  batchSize: 10,
  maxConcurrent: 1,
};

export const TYPE_DEFAULTS: JsonObject = {
  description: null,
  attributeSchema: null,
  stateSchema: null,
  allowUnknownAttributes: false,
  isEnabled: true,
};
