import { requestParts } from '../../../domain/openapi/operationRequest.ts';
import type { Pair } from '../../../domain/openapi/parameterText.ts';
import type { Credential } from '../../../domain/openapi/securityTypes.ts';
import { HEADER_NAME, HEADER_VALUE } from '../../../domain/workflow/headerRules.ts';
import { traceHeaders } from '../../../engine/tracing/traceHeaders.ts';
import type { ActionCall, CallConnection } from '../executor.ts';
import { credentialHeader, type Outgoing, OWN_HEADERS, UnsendableInput } from '../http/outgoing.ts';
import type { PreparedOperation } from './openApiDocuments.ts';

export type AddressedOperation = PreparedOperation & { server: URL };

/** Builds the request of an operation without its credential. Throws UnsendableValue, UnsendableInput. */
export function operationOutgoing(
  { found, plan, server }: AddressedOperation,
  { inputs, idempotencyKey }: Pick<ActionCall, 'inputs' | 'idempotencyKey'>,
): Outgoing {
  const { path, query, headers, cookies, body } = requestParts(found.path, plan, inputs);
  const url = new URL(`${server.origin}${server.pathname.replace(/\/$/, '')}${path}`);
  url.search = queryText(query);
  const own = {
    accept: 'application/json, */*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Perdure',
    ...traceHeaders(),
    ...(plan.idempotencyHeader === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(body === undefined ? {} : { 'content-type': body.contentType }),
  };
  const sent: Record<string, string> = { ...own, ...headers };
  if (cookies.length > 0) sent.cookie = cookieText(cookies);
  for (const [name, value] of Object.entries(sent)) requireHeader(name, value);
  return { method: found.method.toUpperCase(), url, headers: sent, ...(body ? { body: body.text } : {}) };
}

/** Adds the connection's credential as its scheme says. Throws UnsendableInput. */
export function withCredential(
  outgoing: Outgoing,
  { security }: Pick<PreparedOperation, 'security'>,
  connection: CallConnection | undefined,
): Outgoing {
  if (connection === undefined) return outgoing;
  const known = security.get(connection.type);
  if (!known) return withUndeclared(outgoing, connection);
  const sent = { ...outgoing, url: new URL(outgoing.url), headers: { ...outgoing.headers } };
  for (const credential of known.credentials) addCredential(sent, credential, connection.credentials);
  return sent;
}

/** The document names no scheme of this type: the credential is sent as that of the app `http`. */
function withUndeclared(outgoing: Outgoing, { type, credentials }: CallConnection): Outgoing {
  const allowedHosts = outgoing.url.host;
  const credential = credentialHeader({ type, credentials: { ...credentials, allowedHosts } }, outgoing.url);
  if (!credential) return outgoing;
  return {
    ...outgoing,
    headers: { ...outgoing.headers, [credential.name]: credential.value },
    credential: credential.name,
  };
}

function addCredential(
  sent: Outgoing,
  credential: Credential,
  credentials: Readonly<Record<string, string | undefined>>,
): void {
  if (credential.kind === 'query') {
    sent.url.searchParams.set(credential.name, credentials[credential.field] ?? '');
    return;
  }
  const { name, value } = headerOf(credential, credentials);
  if (!HEADER_NAME.test(name) || OWN_HEADERS.has(name)) {
    throw new UnsendableInput(
      `connection: the document sends its key in ${JSON.stringify(name)}, which is not allowed`,
    );
  }
  requireHeader('connection', value);
  const cookie = sent.headers.cookie;
  sent.headers[name] = name === 'cookie' && cookie !== undefined ? `${cookie}; ${value}` : value;
  sent.credential = name;
}

function headerOf(
  credential: Exclude<Credential, { kind: 'query' }>,
  credentials: Readonly<Record<string, string | undefined>>,
): { name: string; value: string } {
  if (credential.kind === 'basic') {
    const text = `${credentials[credential.username] ?? ''}:${credentials[credential.password] ?? ''}`;
    return { name: 'authorization', value: `Basic ${Buffer.from(text, 'utf8').toString('base64')}` };
  }
  const value = credentials[credential.field] ?? '';
  if (credential.kind === 'bearer') return { name: 'authorization', value: `Bearer ${value}` };
  if (credential.kind === 'cookie') return { name: 'cookie', value: cookieText([[credential.name, value]]) };
  return { name: credential.name.toLowerCase(), value };
}

function requireHeader(name: string, value: string): void {
  if (HEADER_VALUE.test(value)) return;
  throw new UnsendableInput(`${name}: holds a character that a header cannot hold`);
}

/** A comma separates the parts of a value, so it is not encoded. */
function queryText(pairs: readonly Pair[]): string {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',');
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

function cookieText(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
}
