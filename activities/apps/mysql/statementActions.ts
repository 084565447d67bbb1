import { z } from 'zod';
import { durationWritten } from '../../../domain/durationWords.ts';
import type { Json } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, type Executor, failed, succeeded } from '../executor.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { DatabaseTurns } from '../sql/databaseTurns.ts';
import { withConnection } from './openConnection.ts';
import { runStatement } from './runStatement.ts';
import { type MySqlServer, mySqlServer } from './serverSettings.ts';
import { commitFailure, isServersTimeout, statementFailure } from './statementFailure.ts';

export interface MySqlSettings extends GuardSettings {
  maxMySqlRows: number;
  /** Maximum bytes that a server may send for one statement. */
  maxOutputBytes: number;
  maxMySqlClients: number;
}

const MAX_PARAMETERS = 65_535;

interface Inputs {
  sql: string;
  parameters: Json[];
  limit: number;
  timeoutMs: number;
}

export function buildMySql(settings: MySqlSettings): { query: Executor; execute: Executor } {
  const guardOf = byWorkspace(settings, 'mysql', buildAddressGuard);
  const turns = new DatabaseTurns(settings.maxMySqlClients);
  const { maxOutputBytes: maxBytes } = settings;

  const build = (isReadOnly: boolean): Executor =>
    withInputs(
      {
        sql: z.string().min(1),
        parameters: jsonList.refine((list) => list.length <= MAX_PARAMETERS, 'expected fewer entries').default([]),
        limit: z.int().min(1).default(1_000),
        timeoutMs: z.number().min(1).max(86_400_000).default(30_000),
      },
      async (inputs: Inputs, call: ActionCall): Promise<ActionResult> => {
        call.signal.throwIfAborted();
        const guard = guardOf(call.origin?.workspaceId);
        let server: MySqlServer;
        try {
          server = mySqlServer(call.connection?.credentials ?? {}, guard);
        } catch (error) {
          if (error instanceof UnusableCredentials) return failed('INVALID_INPUT', `connection: ${error.message}`);
          throw error;
        }
        // One time limit for everything: waiting in line, name resolution, connecting, the statement.
        const timeout = AbortSignal.timeout(inputs.timeoutMs);
        const signal = AbortSignal.any([call.signal, timeout]);
        const statement = { ...inputs, limit: Math.min(inputs.limit, settings.maxMySqlRows) };
        let isCommitting = false;
        const onCommit = () => {
          isCommitting = true;
          awaitsAnswer(call, true);
        };
        try {
          const output = await turns.take(server, signal, () =>
            withConnection(server, { guard, signal, maxBytes }, (connection) =>
              runStatement(connection, statement, isReadOnly, onCommit),
            ),
          );
          return succeeded(output);
        } catch (error) {
          call.signal.throwIfAborted();
          if (isCommitting) return commitFailure(call, server, error, maxBytes);
          if (!timeout.aborted && !isServersTimeout(error)) return statementFailure(server, error, maxBytes);
          const message = `The database did not answer within ${durationWritten(inputs.timeoutMs)}; the statement was cancelled.`;
          return failed('MYSQL_TIMEOUT', message, { retryable: true });
        }
      },
    );
  return { query: build(true), execute: build(false) };
}
