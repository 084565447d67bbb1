import { AGENT } from './agent/resource.ts';
import { API_KEY } from './apiKey/resource.ts';
import { APP } from './app/resource.ts';
import { AUDIT_ENTRY } from './audit/resource.ts';
import { CONNECTION } from './connection/resource.ts';
import { EVENT_DELIVERY } from './eventDelivery/resource.ts';
import { EVENT_SUBSCRIPTION } from './eventSubscription/resource.ts';
import { PENDING_INPUT_FILTERS } from './execution/pendingInputFilters.ts';
import { EXECUTION } from './execution/resource.ts';
import { STEP_FILTERS } from './execution/stepFilters.ts';
import { KNOWLEDGE, KNOWLEDGE_DOCUMENT } from './knowledge/resource.ts';
import { MEMORY } from './memory/resource.ts';
import { OBJECT } from './object/resource.ts';
import { OBJECT_TYPE } from './objectType/resource.ts';
import { PROJECT } from './project/resource.ts';
import { QUEUE } from './queue/resource.ts';
import { QUEUE_ITEM } from './queueItem/resource.ts';
import type { Named, Resource } from './resource.ts';
import { SESSION } from './session/resource.ts';
import { SHARE_GRANT } from './shareGrant/resource.ts';
import { TASK } from './task/resource.ts';
import { VARIABLE } from './variable/resource.ts';
import { WORKFLOW } from './workflow/resource.ts';
import { WORKFLOW_VERSION } from './workflow/versionResource.ts';
import { WORKSPACE_USER } from './workspaceUser/resource.ts';

export const RESOURCES: ReadonlyMap<string, Resource> = new Map(
  [
    PROJECT,
    VARIABLE,
    CONNECTION,
    WORKFLOW,
    WORKFLOW_VERSION,
    EXECUTION,
    OBJECT_TYPE,
    OBJECT,
    QUEUE,
    QUEUE_ITEM,
    AGENT,
    TASK,
    SHARE_GRANT,
    MEMORY,
    WORKSPACE_USER,
    AUDIT_ENTRY,
    API_KEY,
    EVENT_SUBSCRIPTION,
    EVENT_DELIVERY,
    SESSION,
    KNOWLEDGE,
    KNOWLEDGE_DOCUMENT,
    APP,
  ].map((resource) => [resource.name, resource]),
);

/** The values of `x-resource`; a list without a resource table has only filters. */
export const NAMED: ReadonlyMap<string, Named> = new Map<string, Named>([
  ...RESOURCES,
  ['step', { name: 'step', filters: STEP_FILTERS, flags: {} }],
  ['pendingInput', { name: 'pendingInput', filters: PENDING_INPUT_FILTERS, flags: {} }],
]);
