import { Problem } from '../problem.ts';

export interface UsableConnection {
  id: string;
  name: string;
  isDefault: boolean;
}

/**
 * The connection of a step that names none: the sole usable one, else, where `defaultCounts` (runs), the workspace's
 * default. A single action (actions/run) asks for one as soon as there are several.
 */
export function chooseConnection(
  usable: readonly UsableConnection[],
  { defaultCounts }: { defaultCounts: boolean },
): UsableConnection | undefined {
  if (usable.length === 1) return usable[0];
  return defaultCounts ? usable.find((connection) => connection.isDefault) : undefined;
}

export interface ConnectionChoice {
  /** Where the connection could be named, e.g. `steps[1].connectionId`. */
  path: string;
  /** Id of the step that needs it; absent for a single action. */
  step?: string;
  appId: string;
  appName: string;
  candidates: readonly UsableConnection[];
}

/** For steps that no connection resolves for. Each candidate says the app, and the step, that it is for. */
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
