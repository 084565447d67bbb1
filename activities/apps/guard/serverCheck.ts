import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import type { ActionResult } from '../executor.ts';
import { type AddressGuard, buildAddressGuard, type GuardSettings } from './addressGuard.ts';
import { byWorkspace } from './privateHosts.ts';
import { type ServerPlace, UnusableCredentials } from './serverPlace.ts';

interface CheckedServer<Server> {
  app: string;
  /** Throws UnusableCredentials. */
  serverOf(credentials: Record<string, string>, guard: AddressGuard): Server;
  connect(server: Server, options: { guard: AddressGuard; signal: AbortSignal }): Promise<unknown>;
  failureOf(server: Server, error: unknown): ActionResult;
}

/** Checks credentials by connecting to their server. */
export function buildServerCheck<Server extends ServerPlace>(
  settings: GuardSettings & { timeoutMs: number },
  { app, serverOf, connect, failureOf }: CheckedServer<Server>,
): ConnectionCheck {
  const guardOf = byWorkspace(settings, app, buildAddressGuard);
  return async (_connectionType, credentials, workspaceId) => {
    const guard = guardOf(workspaceId);
    let server: Server;
    try {
      server = serverOf(credentials, guard);
    } catch (error) {
      if (error instanceof UnusableCredentials) return error.message;
      throw error;
    }
    const signal = AbortSignal.timeout(settings.timeoutMs);
    try {
      await connect(server, { guard, signal });
      return undefined;
    } catch (error) {
      if (signal.aborted)
        return `${server.host}:${server.port} did not answer within ${durationWritten(settings.timeoutMs)}`;
      const result = failureOf(server, error);
      return result.ok ? undefined : result.failure.message;
    }
  };
}
