import type { JsonObject } from '../json.ts';

export const WORKFLOW_HEAD: JsonObject = {
  description: null,
  isActive: true,
  isInternal: false,
  orientation: 'horizontal',
  timeoutMs: null,
  maxConcurrent: null,
  exposeAsTool: null,
  onFailureWorkflowId: null,
};

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
  dataSchema: null,
};

export const TYPE_DEFAULTS: JsonObject = {
  description: null,
  attributeSchema: null,
  stateSchema: null,
  allowUnknownAttributes: false,
  isEnabled: true,
};
