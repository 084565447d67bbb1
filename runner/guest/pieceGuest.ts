import { authsOf, authValue } from './pieceAuth.ts';
import { actionContext, optionsContext } from './pieceContext.ts';
import { PieceFailure, pieceFailure } from './pieceFailure.ts';
import { pieceInputs } from './pieceInputs.ts';
import { optionsOf, optionText } from './pieceOptions.ts';
import type { Piece, PieceAction, PieceCall, PieceProperty } from './pieceTypes.ts';

export interface PieceGuest {
  describe(): unknown;
  run(actionId: string, call: PieceCall): Promise<unknown>;
  options(actionId: string, field: string, call: PieceCall, search: string): Promise<unknown>;
}

/** Part of the bundle of a piece: what the fence calls. */
export function pieceGuest(exported: Record<string, unknown>): PieceGuest {
  checkCertificates();
  const piece = Object.values(exported).find(isPiece);
  if (piece === undefined) throw new Error('The package exports no piece');
  const actions = actionsOf(piece);
  const actionOf = (actionId: string): PieceAction => {
    const action = actions.get(actionId);
    if (action === undefined) throw new PieceFailure('ACTION_MISSING', `The piece has no action ${actionId}`);
    return action;
  };
  return {
    describe: () => ({
      ...{ name: piece.displayName, description: piece.description },
      auths: Object.fromEntries([...authsOf(piece)].map(([id, auth]) => [id, { ...auth, ...describedProperty(auth) }])),
      actions: Object.fromEntries(
        [...actions].map(([id, { props = {}, ...action }]) => [
          id,
          {
            ...{ name: action.displayName, description: action.description, requireAuth: action.requireAuth },
            ...{ classification: action.classification, isIdempotent: action.aiMetadata?.idempotent === true },
            props: describedProperties(props),
          },
        ]),
      ),
      triggers: Object.keys(piece.triggers?.() ?? {}),
    }),

    run: (actionId, call) =>
      orFailure(async () => {
        const action = actionOf(actionId);
        const propsValue = pieceInputs(action.props ?? {}, call.inputs);
        return action.run(actionContext(call, authValue(piece, call.call.connection), propsValue));
      }),

    options: (actionId, field, call, search) =>
      orFailure(async () => {
        const { props = {} } = actionOf(actionId);
        const property = Object.hasOwn(props, field) ? props[field] : undefined;
        const inputs = pieceInputs(optional(props), call.inputs);
        const values = { ...inputs, auth: authValue(piece, call.call.connection) };
        if (typeof property?.props === 'function') {
          const loaded = await property.props(values, optionsContext(search));
          return { props: describedProperties(loaded as Record<string, PieceProperty>) };
        }
        if (typeof property?.options !== 'function') throw new PieceFailure('NO_OPTIONS', `${field} loads no options`);
        const loaded = (await property.options(values, optionsContext(search))) as LoadedState | undefined;
        const options = optionsOf(loaded?.options);
        if (options.length === 0 && loaded?.disabled)
          throw new PieceFailure('NO_OPTIONS', loaded.placeholder ?? 'There are none');
        return { options, isSearched: property.refreshOnSearch === true };
      }),
  };
}

interface LoadedState {
  disabled?: boolean;
  placeholder?: string;
  options?: unknown;
}

function isPiece(value: unknown): value is Piece {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Piece>).actions === 'function';
}

/** By actionId. Names of old pieces contain spaces. */
function actionsOf(piece: Piece): Map<string, PieceAction> {
  const found = new Map<string, PieceAction>();
  for (const [name, action] of Object.entries(piece.actions())) {
    const id = name.replace(/[^\w./:@#$~+-]/g, '_').replace(/^[^\w]/, '_');
    found.set(found.has(id) ? `${id}_${found.size}` : id, action);
  }
  return found;
}

async function orFailure(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw pieceFailure(error);
  }
}

/** The HTTP client of pieces turns the check of certificates off for the whole process. */
function checkCertificates(): void {
  const env = { ...process.env };
  Object.defineProperty(env, 'NODE_TLS_REJECT_UNAUTHORIZED', { get: () => undefined, set: () => undefined });
  Object.defineProperty(process, 'env', { value: env });
}

function optional(properties: Record<string, PieceProperty>): Record<string, PieceProperty> {
  return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, { ...each, required: false }]));
}

function describedProperties(properties: Record<string, PieceProperty>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, describedProperty(each)]));
}

function describedProperty({ type, displayName, description, required, ...more }: PieceProperty): object {
  const { defaultValue, refreshers, options, properties, props } = more;
  const hasOptions = typeof options === 'object' && options !== null;
  const preset = hasOptions && defaultValue !== undefined ? presetOf(defaultValue) : defaultValue;
  return {
    ...{ type, displayName, description, required, refreshers, defaultValue: preset },
    ...(hasOptions ? { options: optionsOf(options.options) } : {}),
    ...(properties ? { properties: describedProperties(properties) } : {}),
    ...(typeof props === 'object' ? { props: describedProperties(props) } : {}),
  };
}

function presetOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(optionText) : optionText(value);
}
