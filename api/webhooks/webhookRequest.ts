import type { Received } from '../../activities/apps/webhookReceiver.ts';
import { WEBHOOK_RECEIVERS } from '../../activities/apps/webhookReceivers.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { WEBHOOK_METHODS, type WebhookConfig } from '../../domain/workflow/definition.ts';
import { signatureHeaders } from '../../domain/workflow/webhookSignature.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../services.ts';
import { parseBody } from './parseBody.ts';
import { requireSender, SECRET_HEADER } from './requireSender.ts';
import { WebhookSender } from './webhookSender.ts';

export interface WebhookRequest {
  workflowId: string;
  method: string;
  headers: Record<string, string | undefined>;
  query: Record<string, unknown>;
  rawBody: Buffer;
  requestId: string;
  resourceId: string;
  signal: AbortSignal;
  services: Services;
}

export interface ReadWebhookRequest extends WebhookRequest {
  sender: WebhookSender;
  parsed: { body: Json } | { problem: unknown };
}

export async function readWebhookRequest(request: WebhookRequest): Promise<ReadWebhookRequest> {
  const { headers, rawBody, services } = request;
  const { MAX_FORM_PARTS: maxParts, MAX_BODY_DEPTH: maxDepth } = services.config;
  const parsed = await parseBody(headers['content-type'], rawBody, { maxParts, maxDepth }).then(
    (body) => ({ body }),
    (problem: unknown) => ({ problem }),
  );
  return { ...request, parsed, sender: new WebhookSender() };
}

/** Throws NOT_FOUND, METHOD_NOT_ALLOWED and UNAUTHENTICATED. */
export function requireWebhook(
  request: WebhookRequest,
  { isActive }: WorkflowHead,
  { trigger }: CompiledDefinition,
): WebhookConfig {
  if (!isActive || trigger.type !== 'webhook') throw noWebhook();
  requireMethod(trigger.config, request);
  requireSender(trigger.config, request);
  return trigger.config;
}

/** Lets an app's trigger read the request, whose signature has been checked; undefined for other webhooks. */
export function receivedBy(
  { parsed }: ReadWebhookRequest,
  { appId, triggerId, inputs = {} }: WebhookConfig,
): Received | undefined {
  if (appId === undefined) return undefined;
  if ('problem' in parsed) throw parsed.problem;
  const receive = WEBHOOK_RECEIVERS[`${appId}.${triggerId}`];
  if (receive === undefined) throw noWebhook();
  return receive(parsed.body, inputs);
}

function requireMethod({ methods = [...WEBHOOK_METHODS], appId }: WebhookConfig, { method }: WebhookRequest): void {
  const accepted = appId === undefined ? methods : ['POST'];
  const allowed = accepted.flatMap((each) => (each === 'POST' ? ['POST', 'PUT'] : [each]));
  if (allowed.includes(method)) return;
  const allow = allowed.join(', ');
  throw new Problem('METHOD_NOT_ALLOWED', `This webhook does not accept ${method}: expected one of ${allow}`, {
    allow,
  });
}

/** Equal for an unknown workflow, an inactive one and one with another trigger. */
export function noWebhook(): Problem {
  return new Problem('NOT_FOUND', 'There is no active workflow with a webhook trigger at this address');
}

/** Removes the sender's credentials, even unrequested ones, because more people can read an execution. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  SECRET_HEADER,
]);

/** Returns `trigger` for expressions, without credentials in headers. Throws a Problem for a broken body. */
export function triggerValues(
  { method, headers, query, parsed }: ReadWebhookRequest,
  { hmac }: WebhookConfig,
): JsonObject {
  if ('problem' in parsed) throw parsed.problem;
  const signature = hmac && signatureHeaders(hmac).signature.toLowerCase();
  const shown = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && name !== signature && !CREDENTIAL_HEADERS.has(name),
  );
  return {
    method,
    headers: Object.fromEntries(shown) as JsonObject,
    query: query as JsonObject,
    body: parsed.body,
  };
}
