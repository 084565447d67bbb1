import type { HmacFormat } from '../../../domain/workflow/definition.ts';

interface Signature {
  header?: string | undefined;
  format?: HmacFormat | undefined;
}

export interface WebhookNeeds {
  methods?: readonly ('GET' | 'POST')[] | undefined;
  secret?: string | undefined;
  hmac?: Signature | undefined;
  appId?: string | undefined;
}

/** The methods that a webhook accepts; apps send POST. */
export function methodsOf({ methods, appId }: WebhookNeeds): readonly ('GET' | 'POST')[] {
  return methods ?? (appId === undefined ? ['GET', 'POST'] : ['POST']);
}

/** Returns the URL of a webhook. The server writes the host into the page if webhooks have their own. */
export function webhookUrl(workflowId: string): string {
  const own = document.querySelector<HTMLMetaElement>('meta[name="webhook-url"]')?.content;
  return new URL(`/api/webhooks/workflows/${workflowId}`, own?.startsWith('http') ? own : location.origin).href;
}

const BODY = '{"example": true}';

/** Returns a shell command that calls the webhook; the user sets `$SECRET`. */
export function webhookCommand(url: string, { methods, secret, hmac }: WebhookNeeds): string {
  const isGet = methods !== undefined && !methods.includes('POST');
  const parts = [`curl '${url}'`];
  if (secret !== undefined) parts.push('-H "X-Webhook-Secret: $SECRET"');
  if (isGet) return [...signing('', hmac), [...parts, ...signed(hmac)].join(' \\\n  ')].join('\n');
  parts.push(`-H 'Content-Type: application/json'`, ...signed(hmac), '-d "$BODY"');
  return [`BODY='${BODY}'`, ...signing('$BODY', hmac), parts.join(' \\\n  ')].join('\n');
}

/** Lines before the call. They put the signature into `$SIGNATURE`. */
function signing(body: string, hmac: Signature | undefined): string[] {
  if (hmac === undefined) return [];
  const digest = `openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1`;
  if (hmac.format === 'body') return [`SIGNATURE=$(printf '%s' "${body}" | ${digest})`];
  const pattern = hmac.format === 'slack' ? 'v0:%s:%s' : '%s.%s';
  return ['TIME=$(date +%s)', `SIGNATURE=$(printf '${pattern}' "$TIME" "${body}" | ${digest})`];
}

function signed(hmac: Signature | undefined): string[] {
  if (hmac === undefined) return [];
  if (hmac.format === 'slack') {
    return ['-H "X-Slack-Request-Timestamp: $TIME"', '-H "X-Slack-Signature: v0=$SIGNATURE"'];
  }
  const value = hmac.format === 'body' ? '$SIGNATURE' : 't=$TIME,v1=$SIGNATURE';
  return [`-H "${hmac.header ?? 'X-Signature'}: ${value}"`];
}
