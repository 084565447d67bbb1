import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../domain/problem.ts';
import type { Services } from '../services.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/** Ignores the credentials of others on public operations: webhook senders and proxies have some. */
export async function publicCaller(
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
