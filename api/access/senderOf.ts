import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../domain/problem.ts';
import type { Services } from '../services.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/**
 * The caller of a public operation, where it sent a credential of the workspace. Any other counts as none: senders of
 * webhooks have credentials of their own, and proxies too.
 */
export async function senderOf(
  services: Services,
  headers: IncomingHttpHeaders,
  workspaceId: string,
): Promise<Caller | undefined> {
  if (headers['x-api-key'] === undefined && headers.authorization === undefined) return undefined;
  try {
    const caller = await authenticate(services, headers);
    return caller.workspaceId === workspaceId ? caller : undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAUTHENTICATED') return undefined;
    throw error;
  }
}
