/** Behind it each kind of the bundle has its own. */
const APPLY = 'workflows:write|agents:write|queues:write|objects:write|knowledge:write|variables:write';

/** Who sees anything of it follows the workspace by its own permissions. */
const FOLLOW = 'executions:read|queues:read|objects:read|agents:read|agents:use';

/**
 * The permissions of each operation, repeated independently of openapi.yaml and the code: a new operation needs a row
 * here, and a change of permissions must change this table. Any of the listed permissions opens an operation.
 */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  public: [
    'login',
    'verifyLogin',
    'loginWithToken',
    'listSsoProviders',
    'startSsoLogin',
    'finishSsoLogin',
    'requestLoginLink',
    'refreshToken',
    'postWebhook',
    'getWebhook',
    'submitInput',
    'finishConnectionAuthorization',
  ],
  anyone: [
    'listSessions',
    'revokeSession',
    'listInvitations',
    'acceptInvitation',
    'declineInvitation',
    'leaveWorkspace',
    'getCurrentUser',
    'getEnabledFeatures',
  ],
  person: [
    'enrollSecondFactor',
    'confirmSecondFactor',
    'disableSecondFactor',
    'renewBackupCodes',
    'changePassword',
    'updateCurrentUser',
    'switchWorkspace',
    'confirm',
    'logout',
  ],
  'workspace:admin': [
    'listWorkspaceUsers',
    'addWorkspaceUser',
    'getWorkspaceUser',
    'updateWorkspaceUser',
    'removeWorkspaceUser',
    'renewInvitation',
    'resetSecondFactor',
    'listAuditLog',
    'listApiKeys',
    'createApiKey',
    'revokeApiKey',
    'rotateApiKey',
    'listEventSubscriptions',
    'createEventSubscription',
    'getEventSubscription',
    'updateEventSubscription',
    'deleteEventSubscription',
    'listEventDeliveries',
    'replayEvents',
    'testEventSubscription',
  ],
  'agents:write': ['listGrants', 'createGrant', 'revokeGrant', 'upsertAgent', 'deleteAgent'],
  'projects:read': ['listProjects', 'getProject'],
  'projects:write': ['createProject', 'updateProject', 'deleteProject'],
  'workflows:write': [
    'upsertWorkflow',
    'updateWorkflow',
    'deleteWorkflow',
    'validateWorkflow',
    'pauseWorkflow',
    'resumeWorkflow',
  ],
  'workflows:read': [
    'listWorkflows',
    'getWorkflow',
    'listWorkflowVersions',
    'getWorkflowVersion',
    'listWorkflowApps',
    'exportProject',
  ],
  [APPLY]: ['applyProject'],
  'executions:run': [
    'testNode',
    'runAction',
    'runSteps',
    'executeWorkflow',
    'bulkRetryExecutions',
    'bulkCancelExecutions',
    'retryExecution',
    'cancelExecution',
    'terminateExecution',
  ],
  'connections:write': [
    'connectWorkflowApp',
    'authorizeConnection',
    'updateConnection',
    'testConnection',
    'assignConnection',
    'deleteConnection',
  ],
  'connections:read': ['listConnections', 'getConnection'],
  [FOLLOW]: ['streamWorkspace'],
  'executions:read': [
    'listExecutions',
    'countExecutions',
    'getExecutionStatistics',
    'getExecution',
    'getExecutionInput',
    'getExecutionOutput',
    'listExecutionSteps',
    'getExecutionStep',
    'getExecutionStepInput',
    'getExecutionStepOutput',
    'listPendingInputs',
    'streamExecution',
  ],
  'variables:read': ['listVariables', 'getVariable'],
  'variables:write': ['createVariable', 'updateVariable', 'deleteVariable'],
  'objects:read': [
    'listObjectTypes',
    'getObjectTypeBySlug',
    'getObjectType',
    'listObjects',
    'getImportTemplate',
    'exportObjects',
    'getObject',
    'listObjectStateHistory',
    'getObjectTransitions',
  ],
  'objects:write': [
    'upsertObjectType',
    'deleteObjectType',
    'createObject',
    'importObjects',
    'updateObject',
    'deleteObject',
    'restoreObject',
    'setObjectState',
  ],
  'knowledge:read': [
    'listKnowledge',
    'getKnowledge',
    'searchKnowledge',
    'listKnowledgeDocuments',
    'getKnowledgeDocument',
  ],
  'knowledge:write': [
    'createKnowledge',
    'updateKnowledge',
    'deleteKnowledge',
    'saveUploadedText',
    'deleteKnowledgeDocument',
  ],
  'queues:read': [
    'listQueues',
    'getQueue',
    'getQueueStats',
    'listQueueItems',
    'listReadyQueueItems',
    'listRetryQueueItems',
    'searchQueueItems',
    'getQueueItemStats',
    'listQueueItemsByStatus',
    'getQueueItemByExternalId',
    'getQueueItem',
    'listQueueItemErrors',
    'listObjectQueueItems',
  ],
  'queues:write': [
    'createQueue',
    'updateQueue',
    'deleteQueue',
    'activateQueue',
    'deactivateQueue',
    'restoreQueue',
    'createQueueItem',
    'bulkCreateQueueItems',
    'bulkUpdateQueueItems',
    'bulkDeleteQueueItems',
    'claimQueueItems',
    'updateQueueItem',
    'deleteQueueItem',
    'setQueueItemStatus',
    'linkQueueItemExecution',
    'retryQueueItem',
    'requeueQueueItem',
    'bulkRequeueQueueItems',
    'recordQueueItemError',
    'heartbeatQueueItem',
  ],
  'agents:read|agents:use': ['listAgents', 'getAgent', 'listTasks', 'getTask', 'listMemories'],
  'agents:use': ['createTask', 'sendMessage', 'streamMessage', 'resumeMessageStream', 'stopMessageStream'],
  'agents:write|agents:use': ['updateTask', 'deleteTask', 'deleteMemory'],
};

/** The operations open to each caller; `all` except those in `not`. */
export const CALLERS = {
  owner: { all: true, not: [] },
  builder: { all: true, not: ['workspace:admin'] },
  /** Reads all, does the work at hand; no definitions, no people. */
  operator: {
    all: false,
    only: [
      ...['public', 'anyone', 'person', 'projects:read', 'workflows:read', 'connections:read', 'variables:read'],
      ...['executions:read', 'executions:run', 'queues:read', 'queues:write', 'objects:read', 'objects:write'],
      ...['knowledge:read', 'agents:read|agents:use', 'agents:use', 'agents:write|agents:use', APPLY, FOLLOW],
    ],
  },
  /** Reads what runs and what it did; changes nothing. */
  viewer: {
    all: false,
    only: [
      ...['public', 'anyone', 'person', 'projects:read', 'workflows:read', 'executions:read', 'queues:read'],
      ...['objects:read', 'knowledge:read', 'agents:read|agents:use', FOLLOW],
    ],
  },
  consumer: {
    all: false,
    only: ['public', 'anyone', 'person', 'agents:use', 'agents:read|agents:use', 'agents:write|agents:use', FOLLOW],
  },
  /** An API key with `agents:use` alone, which a grant names. */
  grantOnly: {
    all: false,
    only: ['public', 'anyone', 'agents:use', 'agents:read|agents:use', 'agents:write|agents:use', FOLLOW],
  },
  /** An API key with every permission: all that is not a person's own. */
  key: { all: true, not: ['person'] },
  nobody: { all: false, only: ['public'] },
} as const;

export type CallerName = keyof typeof CALLERS;

export function isOpenFor(caller: CallerName, door: string): boolean {
  const rule: { all: boolean; not?: readonly string[]; only?: readonly string[] } = CALLERS[caller];
  return rule.all ? !rule.not?.includes(door) : rule.only?.includes(door) === true;
}
