import type { Executor } from '../executor.ts';
import { buildStatementActions, type StatementLimits } from '../sql/statementActions.ts';
import { withConnection } from './openConnection.ts';
import { runStatement } from './runStatement.ts';
import { mySqlServer } from './serverSettings.ts';
import { commitFailure, isServersTimeout, statementFailure } from './statementFailure.ts';

export interface MySqlSettings extends Omit<StatementLimits, 'maxRows' | 'maxClients'> {
  maxMySqlRows: number;
  maxMySqlClients: number;
}

export function buildMySql(settings: MySqlSettings): { query: Executor; execute: Executor } {
  const { maxMySqlRows: maxRows, maxMySqlClients: maxClients } = settings;
  return buildStatementActions(
    {
      ...{ app: 'mysql', serverOf: mySqlServer, withClient: withConnection, runStatement },
      ...{ statementFailure, commitFailure, isServersTimeout },
    },
    { ...settings, maxRows, maxClients },
  );
}
