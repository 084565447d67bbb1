/** Set by defineAction of perdure-client/functions. */
const ACTION = Symbol.for('perdure.action');

interface Definition {
  [ACTION]: true;
  name: string;
  inputs?: { fields: unknown[] };
  run(inputs: unknown, call: unknown): unknown;
  [member: string]: unknown;
}

interface WireCall {
  inputs: unknown;
  call: Record<string, unknown>;
}

export interface Guest {
  describe(): unknown;
  run(actionId: string, wire: WireCall, signal: AbortSignal): unknown;
}

/** Part of the bundle of a file of functions: what the fence calls. */
export function functionGuest(exported: Record<string, unknown>): Guest {
  const actions = new Map(
    Object.entries(exported).filter((entry): entry is [string, Definition] => isAction(entry[1])),
  );
  return {
    describe: () => ({
      actions: [...actions].map(([actionId, { run: _, inputs, ...definition }]) => ({
        actionId,
        ...definition,
        ...(inputs === undefined ? {} : { inputConfig: inputs }),
      })),
    }),
    run(actionId, { inputs, call }, signal) {
      const action = actions.get(actionId);
      if (action === undefined) throw new Error(`The bundle has no action ${actionId}`);
      return action.run(inputs, { ...call, signal });
    },
  };
}

function isAction(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && ACTION in value;
}
