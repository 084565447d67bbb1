import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { CONNECTION_HEADERS, HEADER_NAME, HEADER_VALUE } from '../../../domain/workflow/headerRules.ts';
import { traceHeaders } from '../../../engine/tracing/traceHeaders.ts';
import type { ActionCall } from '../executor.ts';
import { isAllowedHost, readAllowedHosts, WrongHosts } from './allowedHosts.ts';

export interface Outgoing {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  credential?: string;
}

/** An input that cannot be sent. The message has its place and never its value. */
export class UnsendableInput extends Error {}

export class HostNotAllowed extends Error {}

/** Framing, routing and hops belong to the connection, not to the author. */
export const OWN_HEADERS: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, 'expect', 'host']);

/** The value for no prefix in a connection, because an empty text is an unfilled form field. */
const NO_PREFIX = 'none';

export interface OutgoingInputs {
  method: string;
  url: string;
  query?: JsonObject | undefined;
  headers?: JsonObject | undefined;
  body?: Json | undefined;
  responseType: string;
}

export function composeRequest(
  inputs: OutgoingInputs,
  call: Pick<ActionCall, 'connection' | 'idempotencyKey'>,
): Outgoing {
  const url = requestUrl(inputs.url, inputs.query ?? {});
  const { headers, without } = authorHeaders(inputs.headers ?? {});
  const defaults: Record<string, string> = {
    accept: inputs.responseType === 'json' ? 'application/json' : '*/*',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Perdure',
    // The author's trace replaces ours, including our trace state.
    ...('traceparent' in headers || without.includes('traceparent') ? {} : traceHeaders()),
    // Lets the server distinguish a retry after a lost response from a second order.
    ...(inputs.method === 'POST' || inputs.method === 'PATCH' ? { 'idempotency-key': call.idempotencyKey } : {}),
  };
  const { body, contentType } = requestBody(inputs.body, headers['content-type']);
  if (contentType !== undefined) defaults['content-type'] = contentType;
  for (const name of without) delete defaults[name];
  const credential = credentialHeader(call.connection, url);
  return {
    method: inputs.method,
    url,
    headers: { ...defaults, ...headers, ...(credential ? { [credential.name]: credential.value } : {}) },
    ...(credential ? { credential: credential.name } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

function requestUrl(text: string, query: JsonObject): URL {
  if (!URL.canParse(text)) throw new UnsendableInput('url: expected an absolute http or https address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UnsendableInput('url: expected an absolute http or https address');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnsendableInput('url: credentials belong in a connection, not in the address');
  }
  for (const [name, value] of Object.entries(query)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null) continue;
      if (typeof entry === 'object') {
        throw new UnsendableInput(`query.${name}: expected text, a number, true or false, or a list of them`);
      }
      url.searchParams.append(name, String(entry));
    }
  }
  return url;
}

/** `without` contains the headers that the author set to null, so that their defaults are not sent. */
function authorHeaders(given: JsonObject): { headers: Record<string, string>; without: string[] } {
  const headers = new Map<string, string>();
  const without: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw new UnsendableInput(`headers: ${JSON.stringify(name)} is not a header's name`);
    if (OWN_HEADERS.has(lower)) throw new UnsendableInput(`headers.${name}: is set by the connection itself`);
    if (value === null) {
      without.push(lower);
      continue;
    }
    if (typeof value === 'object') throw new UnsendableInput(`headers.${name}: expected text`);
    if (!HEADER_VALUE.test(String(value))) {
      throw new UnsendableInput(`headers.${name}: holds a character that a header cannot hold`);
    }
    headers.set(lower, String(value));
  }
  return { headers: Object.fromEntries(headers), without };
}

function requestBody(body: Json | undefined, contentType: string | undefined): { body?: string; contentType?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body, contentType: 'text/plain; charset=utf-8' };
  if (isJsonObject(body) && contentType?.startsWith('application/x-www-form-urlencoded'))
    return { body: formText(body) };
  return { body: JSON.stringify(body), contentType: 'application/json' };
}

function formText(body: JsonObject): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null) continue;
      if (typeof entry === 'object') throw new UnsendableInput(`body.${name}: a form holds no objects`);
      form.append(name, String(entry));
    }
  }
  return form.toString();
}

/** The credential overrides the author's header. Throws UnsendableInput, HostNotAllowed. */
export function credentialHeader(
  connection: ActionCall['connection'],
  url: URL,
): { name: string; value: string } | undefined {
  if (connection === undefined) return undefined;
  requireAllowedHost(connection.credentials.allowedHosts ?? '', url);
  const { apiKey = '', username = '', password = '', header, prefix } = connection.credentials;
  if (connection.type === 'basic') {
    const value = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
    return { name: 'authorization', value };
  }
  if (connection.type === 'oauth2') {
    const { accessToken } = connection.credentials;
    const value = `Bearer ${accessToken}`;
    if (accessToken === undefined || !HEADER_VALUE.test(value))
      throw new UnsendableInput('connection: its access token cannot be sent');
    return { name: 'authorization', value };
  }
  if (connection.type !== 'apiKey') {
    throw new UnsendableInput('connection: expected one of an API key, of basic or of OAuth2');
  }
  const name = (header || 'authorization').toLowerCase();
  const scheme = prefix || (name === 'authorization' ? 'Bearer' : NO_PREFIX);
  const value = scheme === NO_PREFIX ? apiKey : `${scheme} ${apiKey}`;
  if (!HEADER_NAME.test(name) || OWN_HEADERS.has(name) || !HEADER_VALUE.test(value)) {
    throw new UnsendableInput('connection: its header or key contains characters that a header cannot have');
  }
  return { name, value };
}

function requireAllowedHost(allowedHosts: string, url: URL): void {
  try {
    if (isAllowedHost(readAllowedHosts(allowedHosts), url)) return;
  } catch (error) {
    if (!(error instanceof WrongHosts)) throw error;
    throw new UnsendableInput(`connection: allowedHosts: ${error.message}`);
  }
  throw new HostNotAllowed(
    `The connection is not for ${url.host}, so nothing was sent: its allowedHosts do not name that host. Use a connection that does, or none.`,
  );
}
