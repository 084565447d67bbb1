import { AGENT } from '../../prisma/store/agent/resource.ts';
import { API_KEY } from '../../prisma/store/apiKey/resource.ts';
import { APP } from '../../prisma/store/app/resource.ts';
import { CONNECTION } from '../../prisma/store/connection/resource.ts';
import { EVENT_DELIVERY } from '../../prisma/store/eventDelivery/resource.ts';
import { EVENT_SUBSCRIPTION } from '../../prisma/store/eventSubscription/resource.ts';
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
import { WORKFLOW_VERSION } from '../../prisma/store/workflow/versionResource.ts';
import { WORKSPACE_USER } from '../../prisma/store/workspaceUser/resource.ts';
import { executionsWithin, executionWithin } from '../executions/readLimitsOf.ts';
import { withPathIcons } from '../executions/withPathIcons.ts';
import type { TableId } from '../openapi.ts';
import type { Operation, PublicOperation } from '../operation.ts';
import { deleteOf } from '../resources/deleteOf.ts';
import { listOf } from '../resources/listOf.ts';
import { patchOf } from '../resources/patchOf.ts';
import { readOf } from '../resources/readOf.ts';
import { deleteAgent } from './agents/deleteAgent.ts';
import { upsertAgent } from './agents/upsertAgent.ts';
import { createApiKey, rotateApiKey } from './apiKeys/apiKeyOperations.ts';
import { deleteApp, putAppContent } from './apps/appOperations.ts';
import { exchangeCredentialToken } from './apps/exchangeCredentialToken.ts';
import { importApp } from './apps/importApp.ts';
import { upsertApp } from './apps/upsertApp.ts';
import { withUsers } from './apps/usersOfApps.ts';
import { login, requestLoginLink, verifyLogin } from './auth/loginOperations.ts';
import { confirm, logout, refreshToken, revokeSession, switchWorkspace } from './auth/sessionOperations.ts';
import { loginWithToken, readLoginToken } from './auth/tokenOperations.ts';
import { applyProject } from './bundles/applyProject.ts';
import { exportProject } from './bundles/exportProject.ts';
import { getWorkflowApp, listWorkflowApps } from './catalogue/listWorkflowApps.ts';
import { loadOptions } from './catalogue/loadOptions.ts';
import { assignConnection } from './connections/assignConnection.ts';
import { authorizeConnection, finishConnectionAuthorization } from './connections/authorizeConnection.ts';
import {
  connectWorkflowApp,
  testConnection,
  updateConnection,
  withWorkflowApp,
} from './connections/connectionOperations.ts';
import { readConnectionTicket, spendConnectionTicket } from './connections/connectionTicket.ts';
import { getEnabledFeatures } from './discovery/getEnabledFeatures.ts';
import { createEventSubscription } from './events/createEventSubscription.ts';
import { replayEvents, testEventSubscription } from './events/deliveryOperations.ts';
import { updateEventSubscription } from './events/updateEventSubscription.ts';
import { acknowledgeExecution, bulkAcknowledgeExecutions } from './executions/acknowledgeOperations.ts';
import { bulkCancelExecutions, cancelExecution, terminateExecution } from './executions/endOperations.ts';
import { executeWorkflow, executeWorkflowBySlug } from './executions/executeWorkflow.ts';
import { getExecutionStatistics } from './executions/getExecutionStatistics.ts';
import {
  countExecutions,
  getExecutionInput,
  getExecutionOutput,
  getExecutionStep,
  getExecutionStepInput,
  getExecutionStepOutput,
  listExecutionSteps,
  listPendingInputs,
  streamExecution,
} from './executions/readOperations.ts';
import { bulkRetryExecutions, retryExecution } from './executions/retryOperations.ts';
import { createGrant } from './grants/createGrant.ts';
import { createKnowledge, updateKnowledge } from './knowledge/knowledgeOperations.ts';
import { saveUploadedText } from './knowledge/saveUploadedText.ts';
import { searchKnowledge } from './knowledge/searchKnowledge.ts';
import { exportObjects } from './objects/exportObjects.ts';
import { getImportTemplate } from './objects/getImportTemplate.ts';
import { importObjects } from './objects/importObjects.ts';
import { objectListFilters } from './objects/objectListFilters.ts';
import { createObject, restoreObject, updateObject } from './objects/objectOperations.ts';
import { getObjectTransitions, listObjectStateHistory, setObjectState } from './objects/stateOperations.ts';
import { enabledOnly, upsertObjectType } from './objectTypes/objectTypeOperations.ts';
import { addWorkspaceUser } from './people/addWorkspaceUser.ts';
import {
  removeWorkspaceUser,
  renewInvitation,
  resetSecondFactor,
  updateWorkspaceUser,
} from './people/changeWorkspaceUser.ts';
import { listAuditLog } from './people/listAuditLog.ts';
import { checkDefaultErrorWorkflow } from './projects/checkDefaultErrorWorkflow.ts';
import { createProject } from './projects/createProject.ts';
import { bulkCreateQueueItems, bulkDeleteQueueItems, bulkUpdateQueueItems } from './queueItems/bulkOperations.ts';
import { listObjectQueueItems, listQueueItems, listQueueItemsByStatus } from './queueItems/itemLists.ts';
import {
  createQueueItem,
  getQueueItemByExternalId,
  linkQueueItemExecution,
  listQueueItemErrors,
  recordQueueItemError,
} from './queueItems/itemOperations.ts';
import { claimQueueItems, heartbeatQueueItem } from './queueItems/leaseOperations.ts';
import { retryQueueItem, setQueueItemStatus } from './queueItems/moveOperations.ts';
import { listReadyQueueItems, listRetryQueueItems } from './queueItems/readyOperations.ts';
import { bulkRequeueQueueItems, requeueQueueItem } from './queueItems/requeueOperations.ts';
import { checkDataSchema, checkItemData } from './queues/dataSchemaCheck.ts';
import {
  activateQueue,
  createQueue,
  deactivateQueue,
  getQueueItemStats,
  getQueueStats,
  restoreQueue,
} from './queues/queueOperations.ts';
import { runAction, runSteps } from './runs/runOperations.ts';
import { finishSsoLogin, listSsoProviders, startSsoLogin } from './sso/ssoOperations.ts';
import { streamWorkspace } from './stream/streamWorkspace.ts';
import { createTask } from './tasks/createTask.ts';
import { deleteTask, hideActiveStreams, withActiveStream } from './tasks/deleteTask.ts';
import { ofTask } from './tasks/ofTask.ts';
import { sendMessage } from './turns/sendMessage.ts';
import { resumeMessageStream, stopMessageStream, streamMessage } from './turns/streamOperations.ts';
import { acceptInvitation, declineInvitation, leaveWorkspace, listInvitations } from './users/invitationOperations.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  renewBackupCodes,
} from './users/secondFactorOperations.ts';
import { changePassword, getCurrentUser, inUseOnly, updateCurrentUser, withCurrent } from './users/userOperations.ts';
import { createVariable } from './variables/createVariable.ts';
import { updateVariable } from './variables/updateVariable.ts';
import { getWebhook, postWebhook } from './webhooks/startByWebhook.ts';
import { submitInput } from './webhooks/submitInput.ts';
import {
  createWorkflowDraft,
  deleteWorkflowDraft,
  getWorkflowDraft,
  saveWorkflowDraft,
} from './workflowDrafts/draftOperations.ts';
import { executeWorkflowDraft } from './workflowDrafts/executeWorkflowDraft.ts';
import { publishWorkflowDraft } from './workflowDrafts/publishWorkflowDraft.ts';
import { deleteWorkflow } from './workflows/deleteWorkflow.ts';
import { withNextScheduled } from './workflows/nextScheduled.ts';
import { pauseWorkflow, resumeWorkflow } from './workflows/pauseOperations.ts';
import { testNode, testUnsavedNode } from './workflows/testNode.ts';
import { updateWorkflow } from './workflows/updateWorkflow.ts';
import { upsertWorkflow } from './workflows/upsertWorkflow.ts';
import { validateWorkflow } from './workflows/validateWorkflow.ts';

/** Operations under `security: []`, which get no caller. */
export const PUBLIC_OPERATIONS = [
  'requestLoginLink',
  'login',
  'verifyLogin',
  'loginWithToken',
  'readLoginToken',
  'refreshToken',
  'listSsoProviders',
  'startSsoLogin',
  'finishSsoLogin',
  'postWebhook',
  'getWebhook',
  'submitInput',
  'finishConnectionAuthorization',
  'readConnectionTicket',
  'spendConnectionTicket',
  'exchangeCredentialToken',
] as const satisfies TableId[];
type PublicId = (typeof PUBLIC_OPERATIONS)[number];

/** Served by api/health.ts, outside /api. */
type OfProcess = 'getHealth' | 'getReadiness';

export type OperationTable = {
  [Id in Exclude<TableId, OfProcess>]: Id extends PublicId ? PublicOperation<Id> : Operation<Id>;
};

export const OPERATIONS: OperationTable = {
  login,
  verifyLogin,
  loginWithToken,
  readLoginToken,
  refreshToken,
  listSsoProviders,
  startSsoLogin,
  finishSsoLogin,
  getCurrentUser,
  updateCurrentUser,
  enrollSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  sendMessage,
  streamMessage,
  resumeMessageStream,
  stopMessageStream,
  listSessions: listOf(SESSION, { shown: withCurrent, narrowed: inUseOnly }),
  revokeSession,
  requestLoginLink,
  switchWorkspace,
  confirm,
  logout,
  listInvitations,
  acceptInvitation,
  declineInvitation,
  leaveWorkspace,
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
  listEventSubscriptions: listOf(EVENT_SUBSCRIPTION),
  createEventSubscription,
  getEventSubscription: readOf(EVENT_SUBSCRIPTION),
  updateEventSubscription,
  deleteEventSubscription: deleteOf(EVENT_SUBSCRIPTION, { answers: 'confirmation' }),
  listEventDeliveries: listOf(EVENT_DELIVERY),
  replayEvents,
  testEventSubscription,
  listGrants: listOf(SHARE_GRANT),
  createGrant,
  revokeGrant: deleteOf(SHARE_GRANT, { answers: 'confirmation' }),
  listMemories: listOf(MEMORY),
  deleteMemory: deleteOf(MEMORY, { answers: 'confirmation' }),
  getEnabledFeatures,
  createProject,
  listProjects: listOf(PROJECT),
  getProject: readOf(PROJECT),
  updateProject: patchOf(PROJECT, { before: checkDefaultErrorWorkflow }),
  deleteProject: deleteOf(PROJECT, { answers: 'confirmation' }),
  exportProject,
  applyProject,
  createVariable,
  listVariables: listOf(VARIABLE),
  getVariable: readOf(VARIABLE),
  updateVariable,
  deleteVariable: deleteOf(VARIABLE, { answers: 'true' }),
  connectWorkflowApp,
  updateConnection,
  testConnection,
  assignConnection,
  authorizeConnection,
  finishConnectionAuthorization,
  readConnectionTicket,
  spendConnectionTicket,
  exchangeCredentialToken,
  listConnections: listOf(CONNECTION, { shown: withWorkflowApp }),
  getConnection: readOf(CONNECTION, { shown: withWorkflowApp }),
  deleteConnection: deleteOf(CONNECTION, { answers: 'confirmation' }),
  listWorkflows: listOf(WORKFLOW, { shown: withNextScheduled }),
  getWorkflow: readOf(WORKFLOW, { shown: withNextScheduled }),
  updateWorkflow,
  deleteWorkflow,
  upsertWorkflow,
  validateWorkflow,
  createWorkflowDraft,
  getWorkflowDraft,
  saveWorkflowDraft,
  deleteWorkflowDraft,
  publishWorkflowDraft,
  executeWorkflowDraft,
  testNode,
  testUnsavedNode,
  pauseWorkflow,
  resumeWorkflow,
  listWorkflowApps,
  getWorkflowApp,
  loadOptions,
  listApps: listOf(APP, { shown: withUsers }),
  upsertApp,
  deleteApp,
  importApp,
  putAppContent,
  runAction,
  runSteps,
  executeWorkflow,
  executeWorkflowBySlug,
  listWorkflowVersions: listOf(WORKFLOW_VERSION),
  getWorkflowVersion: readOf(WORKFLOW_VERSION, { by: 'version' }),
  getExecutionStatistics,
  listExecutions: listOf(executionsWithin),
  getExecution: readOf(executionWithin, { shown: withPathIcons }),
  streamExecution,
  streamWorkspace,
  retryExecution,
  bulkRetryExecutions,
  bulkCancelExecutions,
  acknowledgeExecution,
  bulkAcknowledgeExecutions,
  countExecutions,
  getExecutionInput,
  getExecutionOutput,
  listExecutionSteps,
  listPendingInputs,
  getExecutionStep,
  getExecutionStepInput,
  getExecutionStepOutput,
  cancelExecution,
  terminateExecution,
  listObjectTypes: listOf(OBJECT_TYPE, { narrowed: enabledOnly }),
  upsertObjectType,
  getObjectTypeBySlug: readOf(OBJECT_TYPE, { by: 'slug' }),
  getObjectType: readOf(OBJECT_TYPE),
  deleteObjectType: deleteOf(OBJECT_TYPE, { answers: 'confirmation' }),
  createObject,
  listObjects: listOf(OBJECT, { paging: { by: 'page', pageSize: 25 }, narrowed: objectListFilters }),
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
  updateQueue: patchOf(QUEUE, { before: checkDataSchema }),
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
  bulkRequeueQueueItems,
  listReadyQueueItems,
  listRetryQueueItems,
  claimQueueItems,
  listQueueItemsByStatus,
  getQueueItemByExternalId,
  searchQueueItems: listQueueItems,
  getQueueItemStats,
  getQueueItem: readOf(QUEUE_ITEM),
  updateQueueItem: patchOf(QUEUE_ITEM, { before: checkItemData }),
  deleteQueueItem: deleteOf(QUEUE_ITEM, { answers: 'confirmation' }),
  listQueueItemErrors,
  setQueueItemStatus,
  linkQueueItemExecution,
  retryQueueItem,
  requeueQueueItem,
  recordQueueItemError,
  heartbeatQueueItem,
  listObjectQueueItems,
  listAgents: listOf(AGENT),
  getAgent: readOf(AGENT),
  upsertAgent,
  deleteAgent,
  listTasks: listOf(TASK),
  getTask: ofTask(readOf(TASK, { shown: withActiveStream })),
  updateTask: ofTask(patchOf(TASK, { shown: hideActiveStreams })),
  deleteTask: ofTask(deleteTask),
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
