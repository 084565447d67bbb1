import { Problem } from '../problem.ts';

export interface UsableConnection {
  id: string;
  name: string;
  isDefault: boolean;
}

/** Returns the only usable connection, or, with `defaultCounts` (executions), the workspace's default. */
export function chooseConnection(
  usable: readonly UsableConnection[],
  { defaultCounts }: { defaultCounts: boolean },
): UsableConnection | undefined {
  if (usable.length === 1) return usable[0];
  return defaultCounts ? usable.find((connection) => connection.isDefault) : undefined;
}

export interface ConnectionChoice {
  /** The place that can name the connection, e.g. `steps[1].connectionId`. */
  path: string;
  step?: string;
  appId: string;
  appName: string;
  candidates: readonly UsableConnection[];
}

/** Each candidate names its app and its step. */
export function connectionRequired(choices: readonly ConnectionChoice[]): Problem {
  const candidates = choices.flatMap(({ step, appId, candidates: usable }) =>
    usable.map(({ id, name }) => ({ id, name, appId, ...(step === undefined ? {} : { step }) })),
  );
  return new Problem(
    'CONNECTION_REQUIRED',
    candidates.length === 0 ? 'An app has no connection yet: connect it first' : 'Name the connection to use',
    {
      members: { candidates },
      errors: choices.map(({ path, appName, candidates: usable }) => ({
        path,
        message:
          usable.length === 0
            ? `${appName} has no connection: connect it first`
            : `expected one of the ${usable.length} connections of ${appName}`,
      })),
    },
  );
}
