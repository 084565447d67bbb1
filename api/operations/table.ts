import { AGENT } from '../../prisma/store/agent/resource.ts';
import { API_KEY } from '../../prisma/store/apiKey/resource.ts';
import { CONNECTION } from '../../prisma/store/connection/resource.ts';
import { KNOWLEDGE, KNOWLEDGE_DOCUMENT, WHOLE_DOCUMENT } from '../../prisma/store/knowledge/resource.ts';
import { MEMORY } from '../../prisma/store/memory/resource.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { OBJECT_TYPE } from '../../prisma/store/objectType/resource.ts';
import { PROJECT } from '../../prisma/store/project/resource.ts';
import { QUEUE } from '../../prisma/store/queue/resource.ts';
import { QUEUE_ITEM } from '../../prisma/store/queueItem/resource.ts';
import { SESSION } from '../../prisma/store/session/resource.ts';
import { SHARE_GRANT } from '../../prisma/store/shareGrant/resource.ts';
import { TASK } from '../../prisma/store/task/resource.ts';
import { VARIABLE } from '../../prisma/store/variable/resource.ts';
import { WORKFLOW } from '../../prisma/store/workflow/resource.ts';
import { WORKSPACE_USER } from '../../prisma/store/workspaceUser/resource.ts';
import { executionsWithin } from '../executions/executionsWithin.ts';
import { withPathIcons } from '../executions/withIcons.ts';
import type { TableId } from '../openapi.ts';
import type { Operation, PublicOperation } from '../operation.ts';
import { deleteOf } from '../resources/deleteOf.ts';
import { listOf } from '../resources/listOf.ts';
import { patchOf } from '../resources/patchOf.ts';
import { readOf } from '../resources/readOf.ts';
import { upsertAgent } from './agents/upsertAgent.ts';
import { createApiKey } from './apiKeys/createApiKey.ts';
import { rotateApiKey } from './apiKeys/rotateApiKey.ts';
import { logout, revokeSession } from './auth/endSessions.ts';
import { login } from './auth/login.ts';
import { loginWithToken } from './auth/loginWithToken.ts';
import { refreshToken } from './auth/refreshToken.ts';
import { requestLoginLink } from './auth/requestLoginLink.ts';
import { switchWorkspace } from './auth/switchWorkspace.ts';
import { verifyLogin } from './auth/verifyLogin.ts';
import { listWorkflowApps } from './catalogue/listWorkflowApps.ts';
import { connectWorkflowApp } from './connections/connectWorkflowApp.ts';
import { withWorkflowApp } from './connections/withWorkflowApp.ts';
import { getEnabledFeatures } from './discovery/getEnabledFeatures.ts';
import { bulkCancelExecutions } from './executions/bulkCancelExecutions.ts';
import { bulkRetryExecutions } from './executions/bulkRetryExecutions.ts';
import { cancelExecution } from './executions/cancelExecution.ts';
import { countExecutions } from './executions/countExecutions.ts';
import { executeWorkflow } from './executions/executeWorkflow.ts';
import { getExecutionOutput } from './executions/getExecutionOutput.ts';
import { getExecutionStep } from './executions/getExecutionStep.ts';
import { getExecutionStepInput } from './executions/getExecutionStepInput.ts';
import { getExecutionStepOutput } from './executions/getExecutionStepOutput.ts';
import { listExecutionSteps } from './executions/listExecutionSteps.ts';
import { retryExecution } from './executions/retryExecution.ts';
import { streamExecution } from './executions/streamExecution.ts';
import { terminateExecution } from './executions/terminateExecution.ts';
import { createGrant } from './grants/createGrant.ts';
import { createKnowledge } from './knowledge/createKnowledge.ts';
import { saveUploadedText } from './knowledge/saveUploadedText.ts';
import { searchKnowledge } from './knowledge/searchKnowledge.ts';
import { updateKnowledge } from './knowledge/updateKnowledge.ts';
import { createObject } from './objects/createObject.ts';
import { exportObjects } from './objects/exportObjects.ts';
import { getImportTemplate } from './objects/getImportTemplate.ts';
import { getObjectTransitions } from './objects/getObjectTransitions.ts';
import { importObjects } from './objects/importObjects.ts';
import { listObjectStateHistory } from './objects/listObjectStateHistory.ts';
import { narrowedObjects } from './objects/narrowedObjects.ts';
import { restoreObject } from './objects/restoreObject.ts';
import { setObjectState } from './objects/setObjectState.ts';
import { updateObject } from './objects/updateObject.ts';
import { enabledOnly } from './objectTypes/enabledOnly.ts';
import { upsertObjectType } from './objectTypes/upsertObjectType.ts';
import { addWorkspaceUser } from './people/addWorkspaceUser.ts';
import {
  removeWorkspaceUser,
  renewInvitation,
  resetSecondFactor,
  updateWorkspaceUser,
} from './people/changeWorkspaceUser.ts';
import { listAuditLog } from './people/listAuditLog.ts';
import { createProject } from './projects/createProject.ts';
import { bulkCreateQueueItems } from './queueItems/bulkCreateQueueItems.ts';
import { bulkDeleteQueueItems } from './queueItems/bulkDeleteQueueItems.ts';
import { bulkUpdateQueueItems } from './queueItems/bulkUpdateQueueItems.ts';
import { createQueueItem } from './queueItems/createQueueItem.ts';
import { getQueueItemByExternalId } from './queueItems/getQueueItemByExternalId.ts';
import { listObjectQueueItems, listQueueItems, listQueueItemsByStatus } from './queueItems/itemLists.ts';
import { claimQueueItems, heartbeatQueueItem } from './queueItems/leaseOperations.ts';
import { linkQueueItemExecution } from './queueItems/linkQueueItemExecution.ts';
import { listQueueItemErrors } from './queueItems/listQueueItemErrors.ts';
import { listReadyQueueItems, listRetryQueueItems } from './queueItems/readyOperations.ts';
import { recordQueueItemError } from './queueItems/recordQueueItemError.ts';
import { retryQueueItem } from './queueItems/retryQueueItem.ts';
import { setQueueItemStatus } from './queueItems/setQueueItemStatus.ts';
import { activateQueue, deactivateQueue, restoreQueue } from './queues/activityOperations.ts';
import { createQueue } from './queues/createQueue.ts';
import { getQueueItemStats, getQueueStats } from './queues/statsOperations.ts';
import { runAction, runSteps } from './runs/runOperations.ts';
import { finishSsoLogin } from './sso/finishSsoLogin.ts';
import { listSsoProviders } from './sso/listSsoProviders.ts';
import { startSsoLogin } from './sso/startSsoLogin.ts';
import { createTask } from './tasks/createTask.ts';
import { deleteTask } from './tasks/deleteTask.ts';
import { withActiveStream, withoutActiveStream } from './tasks/shownTasks.ts';
import { sendMessage } from './turns/sendMessage.ts';
import { resumeMessageStream, stopMessageStream, streamMessage } from './turns/streamOperations.ts';
import { changePassword } from './users/changePassword.ts';
import { getCurrentUser } from './users/getCurrentUser.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  renewBackupCodes,
} from './users/secondFactorOperations.ts';
import { withCurrent } from './users/withCurrent.ts';
import { createVariable } from './variables/createVariable.ts';
import { submitInput } from './webhooks/submitInput.ts';
import { getWebhook, postWebhook } from './webhooks/webhookOperations.ts';
import { withNextScheduled } from './workflows/nextScheduled.ts';
import { pauseWorkflow, resumeWorkflow } from './workflows/pauseOperations.ts';
import { testNode } from './workflows/testNode.ts';
import { upsertWorkflow } from './workflows/upsertWorkflow.ts';
import { validateWorkflow } from './workflows/validateWorkflow.ts';

/** Operations under `security: []`: they get no caller. */
export const PUBLIC_OPERATIONS = [
  'requestLoginLink',
  'login',
  'verifyLogin',
  'loginWithToken',
  'refreshToken',
  'listSsoProviders',
  'startSsoLogin',
  'finishSsoLogin',
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
  verifyLogin,
  loginWithToken,
  refreshToken,
  listSsoProviders,
  startSsoLogin,
  finishSsoLogin,
  getCurrentUser,
  enrollSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  sendMessage,
  streamMessage,
  resumeMessageStream,
  stopMessageStream,
  listSessions: listOf(SESSION, { shown: withCurrent }),
  revokeSession,
  requestLoginLink,
  switchWorkspace,
  logout,
  listAuditLog,
  changePassword,
  listWorkspaceUsers: listOf(WORKSPACE_USER),
  addWorkspaceUser,
  getWorkspaceUser: readOf(WORKSPACE_USER),
  updateWorkspaceUser,
  removeWorkspaceUser,
  renewInvitation,
  resetSecondFactor,
  listApiKeys: listOf(API_KEY),
  createApiKey,
  rotateApiKey,
  revokeApiKey: deleteOf(API_KEY, { answers: 'confirmation' }),
  listGrants: listOf(SHARE_GRANT),
  createGrant,
  revokeGrant: deleteOf(SHARE_GRANT, { answers: 'confirmation' }),
  listMemories: listOf(MEMORY),
  deleteMemory: deleteOf(MEMORY, { answers: 'confirmation' }),
  getEnabledFeatures,
  createProject,
  listProjects: listOf(PROJECT),
  getProject: readOf(PROJECT),
  updateProject: patchOf(PROJECT),
  createVariable,
  listVariables: listOf(VARIABLE),
  getVariable: readOf(VARIABLE),
  updateVariable: patchOf(VARIABLE),
  deleteVariable: deleteOf(VARIABLE, { answers: 'true' }),
  connectWorkflowApp,
  listConnections: listOf(CONNECTION, { shown: withWorkflowApp }),
  getConnection: readOf(CONNECTION, { shown: withWorkflowApp }),
  listWorkflows: listOf(WORKFLOW, { shown: withNextScheduled }),
  getWorkflow: readOf(WORKFLOW, { shown: withNextScheduled }),
  upsertWorkflow,
  validateWorkflow,
  testNode,
  pauseWorkflow,
  resumeWorkflow,
  listWorkflowApps,
  runAction,
  runSteps,
  executeWorkflow,
  listExecutions: listOf(executionsWithin),
  getExecution: readOf(executionsWithin, { shown: withPathIcons }),
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
  listObjectTypes: listOf(OBJECT_TYPE, { narrowed: enabledOnly }),
  upsertObjectType,
  getObjectTypeBySlug: readOf(OBJECT_TYPE, { by: 'slug' }),
  getObjectType: readOf(OBJECT_TYPE),
  createObject,
  listObjects: listOf(OBJECT, { paging: { by: 'page', pageSize: 25 }, narrowed: narrowedObjects }),
  getObject: readOf(OBJECT),
  updateObject,
  deleteObject: deleteOf(OBJECT, { answers: 'true' }),
  restoreObject,
  setObjectState,
  listObjectStateHistory,
  getObjectTransitions,
  importObjects,
  getImportTemplate,
  exportObjects,
  createQueue,
  listQueues: listOf(QUEUE),
  getQueue: readOf(QUEUE),
  updateQueue: patchOf(QUEUE),
  deleteQueue: deleteOf(QUEUE, { answers: 'confirmation' }),
  getQueueStats,
  activateQueue,
  deactivateQueue,
  restoreQueue,
  createQueueItem,
  listQueueItems,
  bulkCreateQueueItems,
  bulkUpdateQueueItems,
  bulkDeleteQueueItems,
  listReadyQueueItems,
  listRetryQueueItems,
  claimQueueItems,
  listQueueItemsByStatus,
  getQueueItemByExternalId,
  searchQueueItems: listQueueItems,
  getQueueItemStats,
  getQueueItem: readOf(QUEUE_ITEM),
  updateQueueItem: patchOf(QUEUE_ITEM),
  deleteQueueItem: deleteOf(QUEUE_ITEM, { answers: 'confirmation' }),
  listQueueItemErrors,
  setQueueItemStatus,
  linkQueueItemExecution,
  retryQueueItem,
  recordQueueItemError,
  heartbeatQueueItem,
  listObjectQueueItems,
  listAgents: listOf(AGENT),
  getAgent: readOf(AGENT),
  upsertAgent,
  listTasks: listOf(TASK),
  getTask: readOf(TASK, { shown: withActiveStream }),
  updateTask: patchOf(TASK, { shown: withoutActiveStream }),
  deleteTask,
  createTask,
  createKnowledge,
  listKnowledge: listOf(KNOWLEDGE),
  getKnowledge: readOf(KNOWLEDGE),
  updateKnowledge,
  deleteKnowledge: deleteOf(KNOWLEDGE, { answers: 'true' }),
  saveUploadedText,
  searchKnowledge,
  listKnowledgeDocuments: listOf(KNOWLEDGE_DOCUMENT),
  getKnowledgeDocument: readOf(WHOLE_DOCUMENT),
  deleteKnowledgeDocument: deleteOf(KNOWLEDGE_DOCUMENT, { answers: 'true' }),
  postWebhook,
  getWebhook,
  submitInput,
};
