import type { TableId } from '../openapi.ts';
import type { Operation, PublicOperation } from '../operation.ts';
import { login } from './auth/login.ts';
import { refreshToken } from './auth/refreshToken.ts';
import { listWorkflowApps } from './catalogue/listWorkflowApps.ts';
import { connectWorkflowApp } from './connections/connectWorkflowApp.ts';
import { getConnection } from './connections/getConnection.ts';
import { listConnections } from './connections/listConnections.ts';
import { getEnabledFeatures } from './discovery/getEnabledFeatures.ts';
import { bulkCancelExecutions } from './executions/bulkCancelExecutions.ts';
import { bulkRetryExecutions } from './executions/bulkRetryExecutions.ts';
import { cancelExecution } from './executions/cancelExecution.ts';
import { countExecutions } from './executions/countExecutions.ts';
import { executeWorkflow } from './executions/executeWorkflow.ts';
import { getExecution } from './executions/getExecution.ts';
import { getExecutionOutput } from './executions/getExecutionOutput.ts';
import { getExecutionStep } from './executions/getExecutionStep.ts';
import { getExecutionStepInput } from './executions/getExecutionStepInput.ts';
import { getExecutionStepOutput } from './executions/getExecutionStepOutput.ts';
import { listExecutionSteps } from './executions/listExecutionSteps.ts';
import { listExecutions } from './executions/listExecutions.ts';
import { retryExecution } from './executions/retryExecution.ts';
import { streamExecution } from './executions/streamExecution.ts';
import { terminateExecution } from './executions/terminateExecution.ts';
import { createProject } from './projects/createProject.ts';
import { getProject } from './projects/getProject.ts';
import { listProjects } from './projects/listProjects.ts';
import { runAction, runSteps } from './runs/runOperations.ts';
import { getCurrentUser } from './users/getCurrentUser.ts';
import { createVariable } from './variables/createVariable.ts';
import { deleteVariable } from './variables/deleteVariable.ts';
import { getVariable } from './variables/getVariable.ts';
import { listVariables } from './variables/listVariables.ts';
import { updateVariable } from './variables/updateVariable.ts';
import { submitInput } from './webhooks/submitInput.ts';
import { getWebhook, postWebhook } from './webhooks/webhookOperations.ts';
import { getWorkflow } from './workflows/getWorkflow.ts';
import { listWorkflows } from './workflows/listWorkflows.ts';
import { pauseWorkflow, resumeWorkflow } from './workflows/pauseOperations.ts';
import { testNode } from './workflows/testNode.ts';
import { upsertWorkflow } from './workflows/upsertWorkflow.ts';
import { validateWorkflow } from './workflows/validateWorkflow.ts';

/** Operations under `security: []`: they get no caller. */
export const PUBLIC_OPERATIONS = [
  'login',
  'refreshToken',
  'postWebhook',
  'getWebhook',
  'submitInput',
] as const satisfies TableId[];
type PublicId = (typeof PUBLIC_OPERATIONS)[number];

/** Served by api/health.ts, outside /api. */
type OfProcess = 'getHealth' | 'getReadiness';

/** Every operation under /api by its operationId. */
export type OperationTable = {
  [Id in Exclude<TableId, OfProcess>]: Id extends PublicId ? PublicOperation<Id> : Operation<Id>;
};

export const OPERATIONS: OperationTable = {
  login,
  refreshToken,
  getCurrentUser,
  getEnabledFeatures,
  createProject,
  listProjects,
  getProject,
  createVariable,
  listVariables,
  getVariable,
  updateVariable,
  deleteVariable,
  connectWorkflowApp,
  listConnections,
  getConnection,
  listWorkflows,
  getWorkflow,
  upsertWorkflow,
  validateWorkflow,
  testNode,
  pauseWorkflow,
  resumeWorkflow,
  listWorkflowApps,
  runAction,
  runSteps,
  executeWorkflow,
  listExecutions,
  getExecution,
  streamExecution,
  retryExecution,
  bulkRetryExecutions,
  bulkCancelExecutions,
  countExecutions,
  getExecutionOutput,
  listExecutionSteps,
  getExecutionStep,
  getExecutionStepInput,
  getExecutionStepOutput,
  cancelExecution,
  terminateExecution,
  postWebhook,
  getWebhook,
  submitInput,
};
