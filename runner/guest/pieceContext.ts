import { PieceFailure } from './pieceFailure.ts';
import type { PieceCall } from './pieceTypes.ts';

/** Returns the context in which an action runs: what Perdure lacks is refused when the piece uses it. */
export function actionContext({ call }: PieceCall, auth: unknown, propsValue: Record<string, unknown>): object {
  const context = {
    ...{ executionType: 'BEGIN', auth, propsValue, step: { name: call.stepId } },
    ...{ tags: { add: tagged }, output: { update: shown } },
    ...{ run: refusing('run', { id: call.executionId }), agent: refusing('agent'), files: refusing('files') },
    ...surroundings(),
  };
  // Not enumerable, so that a copy of the context works.
  for (const name of ['generateResumeUrl', 'serverUrl', 'resumePayload']) {
    Object.defineProperty(context, name, { get: () => refuse(name) });
  }
  return context;
}

/** Returns the context in which options and dynamic properties are loaded. */
export function optionsContext(searchValue: string): object {
  return { searchValue, ...surroundings() };
}

function surroundings(): object {
  return {
    store: refusing('store'),
    flows: refusing('flows'),
    connections: refusing('connections'),
    project: refusing('project'),
    server: refusing('server'),
  };
}

async function tagged({ name }: { name: string }): Promise<void> {
  console.info(`The piece set the tag ${name}, which executions do not have`);
}

async function shown({ data }: { data: unknown }): Promise<void> {
  console.info(JSON.stringify(data));
}

/** `JSON.stringify` and `await` read these. */
const PROBED: readonly PropertyKey[] = ['then', 'toJSON'];

function refusing(name: string, present: object = {}): object {
  return new Proxy(present, {
    get(target, member) {
      if (Object.hasOwn(target, member)) return Reflect.get(target, member) as unknown;
      return typeof member === 'symbol' || PROBED.includes(member) ? undefined : refuse(`${name}.${member}`);
    },
  });
}

function refuse(member: string): never {
  throw new PieceFailure('PIECE_UNSUPPORTED', `The piece uses context.${member}, which Perdure does not have`);
}
