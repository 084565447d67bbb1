import type { Executor } from '../executor.ts';
import { buildStatementActions, type StatementLimits } from '../sql/statementActions.ts';
import { withClient } from './openClient.ts';
import { runStatement } from './runStatement.ts';
import { serverSettings } from './serverSettings.ts';
import { commitFailure, isServersTimeout, statementFailure } from './statementFailure.ts';

export type PostgresSettings = StatementLimits;

export function buildPostgres(settings: PostgresSettings): { query: Executor; execute: Executor } {
  return buildStatementActions(
    {
      ...{ app: 'postgres', serverOf: serverSettings, withClient, runStatement },
      ...{ statementFailure, commitFailure, isServersTimeout },
    },
    settings,
  );
}
