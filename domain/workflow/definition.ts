import type { Field } from '../field.ts';
import type { Json, JsonObject } from '../json.ts';

/** A workflow in the shape of React Flow, as people write it. */
export interface Definition {
  trigger: TriggerNode;
  nodes: Node[];
  edges: Edge[];
  /** A value with expressions. */
  output?: Json;
  /** Labels to find its executions by: texts with expressions over `trigger`, by key. */
  labels?: Record<string, string>;
  /** Texts on the editor's canvas; nothing runs by them. */
  notes?: Note[];
}

export interface Note {
  id: string;
  text: string;
  x: number;
  y: number;
  width?: number;
  height?: number;
}

/** `action` runs an action of the catalogue; the other types are control nodes that the engine interprets. */
export const NODE_TYPES = [
  'action',
  'condition',
  'switch',
  'forEach',
  'repeat',
  'input',
  'delay',
  'runWorkflow',
  'respond',
  'stop',
] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** Nodes that contain others, which name them as parentId. */
const LOOP_TYPES = ['forEach', 'repeat'] as const;
export type LoopType = (typeof LOOP_TYPES)[number];

export function isLoop(type: NodeType): type is LoopType {
  return (LOOP_TYPES as readonly string[]).includes(type);
}

/** Otherwise the output of a loop is `{total, completed, failed}`. */
export function keepsOutputs({ inputs }: Pick<Node, 'inputs'>): boolean {
  return inputs?.keepOutputs !== false;
}

export const MAXIMUM_LOOP_DEPTH = 5;

export interface Node {
  id: string;
  type: NodeType;
  name?: string;
  appId?: string;
  actionId?: string;
  /** The version of an app of the workspace; a save sets the present one. */
  appDigest?: string;
  inputs?: JsonObject;
  connectionId?: string;
  parentId?: string;
  position?: { x: number; y: number };
  onError?: OnError;
  retry?: RetryPolicy;
  timeoutMs?: number;
  /** How long it waits until its connection is authorized again; default: RECONNECT_TIMEOUT_MS. */
  onReconnectTimeoutMs?: number;
}

export type OnError = 'fail' | 'continue' | 'route';

export interface RetryPolicy {
  maximumAttempts: number;
  initialIntervalMs?: number;
  backoffCoefficient?: number;
  maximumIntervalMs?: number;
}

/** `source` is a node's id or `trigger`. */
export interface Edge {
  id: string;
  source: string;
  target: string;
  sourceHandle?: string;
}

export const TRIGGER_TYPES = ['manual', 'webhook', 'schedule', 'poll', 'queue'] as const;

export type TriggerNode =
  | { id: 'trigger'; type: 'manual'; config: { fields?: Field[] } }
  | { id: 'trigger'; type: 'webhook'; config: WebhookConfig }
  | { id: 'trigger'; type: 'schedule'; config: ScheduleConfig }
  | { id: 'trigger'; type: 'poll'; config: PollConfig }
  | { id: 'trigger'; type: 'queue'; config: QueueConfig };

export const OVERLAPS = ['skip', 'bufferOne', 'bufferAll', 'cancelOther', 'terminateOther', 'allowAll'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Has cron or everyMs. */
export interface ScheduleConfig {
  /** Five fields, or six with seconds. */
  cron?: string;
  everyMs?: number;
  /** IANA name; default: UTC. */
  timezone?: string;
  /** Random additional delay, at most this long. */
  jitterMs?: number;
  /** Default: skip. */
  overlap?: Overlap;
  /** How late a missed time still starts an execution; default: one minute. */
  catchupWindowMs?: number;
}

export const WEBHOOK_METHODS = ['GET', 'POST'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

export interface WebhookConfig {
  /** Default: both. PUT counts as POST. */
  methods?: WebhookMethod[];
  respond?: 'immediately' | 'whenFinished';
  /** Compared with X-Webhook-Secret. */
  secret?: string;
  hmac?: HmacConfig;
  duplicates?: DuplicatesConfig;
  /** An app's trigger reads the requests: it answers some itself, and drops others. */
  appId?: string;
  triggerId?: string;
  inputs?: JsonObject;
}

/** `timestamped` (default): `t=<unix seconds>,v1=<hex>` over `t.body`. `body`: hex over the body. `slack`: that of Slack. */
export const HMAC_FORMATS = ['timestamped', 'body', 'slack'] as const;
export type HmacFormat = (typeof HMAC_FORMATS)[number];

/** HMAC-SHA256 over the raw body. If `secret` is also set, both must match. */
export interface HmacConfig {
  secret: string;
  /** Default: X-Signature. Slack's has a fixed name. */
  header?: string;
  format?: HmacFormat;
  /** Default: 300. */
  toleranceSeconds?: number;
}

/** Within the time, requests with the same key count as one. */
export interface DuplicatesConfig {
  key: string;
  forMs: number;
}

export interface QueueConfig {
  queueId: string;
  /** Items per execution; default: the queue's. */
  batchSize?: number;
}

/** `new`: the items of the first poll start no executions. `all`: each starts one. */
export const START_WITH = ['new', 'all'] as const;

export interface PollConfig {
  appId: string;
  triggerId: string;
  inputs?: JsonObject;
  connectionId?: string;
  everyMs: number;
  /** Default: new. */
  startWith?: (typeof START_WITH)[number];
}

export const TRIGGER_ID = 'trigger';
