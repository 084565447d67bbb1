import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { WebhookNeeds } from './webhookCommand.ts';

export interface Sample {
  method: 'GET' | 'POST';
  /** JSON or any text. GET does not send it. */
  body: string;
  /** The value of the header X-Webhook-Secret. */
  secret: string;
  /** The key that signs the body. */
  signingSecret: string;
}

export function sampleRequest({ secret, hmac }: WebhookNeeds, sample: Sample, nowMs: number): RequestInit {
  const { method } = sample;
  const body = method === 'GET' ? '' : sample.body;
  const headers: Record<string, string> = {
    ...(method === 'GET' ? {} : { 'Content-Type': isJson(body) ? 'application/json' : 'text/plain' }),
    ...(secret === undefined ? {} : { 'X-Webhook-Secret': sample.secret }),
  };
  if (hmac !== undefined) {
    const time = String(Math.floor(nowMs / 1_000));
    const { format = 'timestamped', header = 'X-Signature' } = hmac;
    const signed = { timestamped: `${time}.${body}`, body, slack: `v0:${time}:${body}` }[format];
    const digest = bytesToHex(hmacOf(sha256, utf8ToBytes(sample.signingSecret), utf8ToBytes(signed)));
    if (format === 'slack') {
      Object.assign(headers, { 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': `v0=${digest}` });
    } else headers[header] = format === 'body' ? digest : `t=${time},v1=${digest}`;
  }
  return { method, headers, ...(method === 'GET' ? {} : { body }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
