import { z } from 'zod';
import { durationWritten } from '../../../domain/durationWords.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, type Executor, failed, succeeded } from '../executor.ts';
import { type AddressGuard, buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { type DatabasePlace, DatabaseTurns } from './databaseTurns.ts';

export interface Statement {
  sql: string;
  parameters: Json[];
  limit: number;
  /** Enforced by the server too. */
  timeoutMs: number;
}

export interface DatabaseUse {
  guard: AddressGuard;
  /** On abort, cancels the running statement and ends the connection. */
  signal: AbortSignal;
  maxBytes: number;
}

/** The parts that differ between databases. */
export interface Database<Server extends DatabasePlace, Client> {
  app: string;
  /** Throws UnusableCredentials. */
  serverOf(credentials: Record<string, string>, guard: AddressGuard): Server;
  withClient<T>(server: Server, use: DatabaseUse, work: (client: Client) => Promise<T>): Promise<T>;
  /** Runs in its own transaction. `onCommit` is called before a commit: a later failure has an unknown outcome. */
  runStatement(client: Client, statement: Statement, isReadOnly: boolean, onCommit: () => void): Promise<JsonObject>;
  statementFailure(server: Server, error: unknown, maxBytes: number): ActionResult;
  commitFailure(call: ActionCall, server: Server, error: unknown, maxBytes: number): ActionResult;
  /** The server itself has cancelled the statement at its time limit. */
  isServersTimeout(error: unknown, elapsedMs: number, timeoutMs: number): boolean;
}

export interface StatementLimits extends GuardSettings {
  maxRows: number;
  /** Maximum bytes that a server may send for one statement. */
  maxOutputBytes: number;
  maxClients: number;
}

const MAX_PARAMETERS = 65_535;

export function buildStatementActions<Server extends DatabasePlace, Client>(
  database: Database<Server, Client>,
  limits: StatementLimits,
): { query: Executor; execute: Executor } {
  const guardOf = byWorkspace(limits, database.app, buildAddressGuard);
  const turns = new DatabaseTurns(limits.maxClients);
  const { maxOutputBytes: maxBytes } = limits;

  const build = (isReadOnly: boolean): Executor =>
    withInputs(
      {
        sql: z.string().min(1),
        parameters: jsonList.refine((list) => list.length <= MAX_PARAMETERS, 'expected fewer entries').default([]),
        limit: z.int().min(1).default(1_000),
        timeoutMs: z.number().min(1).max(86_400_000).default(30_000),
      },
      async (inputs: Statement, call: ActionCall): Promise<ActionResult> => {
        call.signal.throwIfAborted();
        const guard = guardOf(call.origin?.workspaceId);
        let server: Server;
        try {
          server = database.serverOf(call.connection?.credentials ?? {}, guard);
        } catch (error) {
          if (error instanceof UnusableCredentials) return failed('INVALID_INPUT', `connection: ${error.message}`);
          throw error;
        }
        // One time limit for everything: waiting in line, name resolution, connecting, the statement.
        const begunAt = performance.now();
        const timeout = AbortSignal.timeout(inputs.timeoutMs);
        const signal = AbortSignal.any([call.signal, timeout]);
        const statement = { ...inputs, limit: Math.min(inputs.limit, limits.maxRows) };
        let isCommitting = false;
        const onCommit = () => {
          isCommitting = !isReadOnly;
          awaitsAnswer(call, isCommitting);
        };
        try {
          const output = await turns.take(server, signal, () =>
            database.withClient(server, { guard, signal, maxBytes }, (client) =>
              database.runStatement(client, statement, isReadOnly, onCommit),
            ),
          );
          return succeeded(output);
        } catch (error) {
          call.signal.throwIfAborted();
          if (isCommitting) return database.commitFailure(call, server, error, maxBytes);
          const elapsedMs = performance.now() - begunAt;
          const isOver = timeout.aborted || database.isServersTimeout(error, elapsedMs, inputs.timeoutMs);
          if (!isOver) return database.statementFailure(server, error, maxBytes);
          const message = `The database did not answer within ${durationWritten(inputs.timeoutMs)}; the statement was cancelled.`;
          return failed(`${database.app.toUpperCase()}_TIMEOUT`, message, { retryable: true });
        }
      },
    );
  return { query: build(true), execute: build(false) };
}
