import { pieceInputs } from './pieceInputs.ts';
import type { Piece, PieceAuth, PieceConnection, PieceProperty } from './pieceTypes.ts';

const IDS: Readonly<Record<string, string>> = {
  SECRET_TEXT: 'apiKey',
  BASIC_AUTH: 'basic',
  CUSTOM_AUTH: 'custom',
  OAUTH2: 'oauth2',
};

/** The ways to log in, by the id of the type of connections that each becomes. */
export function authsOf({ auth }: Piece): Map<string, PieceAuth> {
  const all = (Array.isArray(auth) ? auth : [auth]).filter((each) => each !== undefined && each !== null);
  const found = new Map<string, PieceAuth>();
  for (const each of all) {
    const id = IDS[each.type] ?? each.type;
    const same = [...found.values()].filter(({ type }) => type === each.type).length;
    found.set(same === 0 ? id : `${id}${same + 1}`, each);
  }
  return found;
}

/** Returns `auth` of the context. Pieces without a version of the context get the bare value. */
export function authValue(piece: Piece, connection: PieceConnection | undefined): unknown {
  if (connection === undefined) return undefined;
  const { type, credentials } = connection;
  const auth = authsOf(piece).get(type);
  const value = auth && connectionValue(auth, credentials);
  if (value === undefined || piece.getContextInfo?.() !== undefined) return value;
  if (value.type === 'SECRET_TEXT') return value.secret_text;
  return value.type === 'CUSTOM_AUTH' ? value.props : value;
}

function connectionValue(
  auth: PieceAuth,
  credentials: Record<string, string>,
): Record<string, unknown> & { type: string } {
  const { type } = auth;
  const props = typeof auth.props === 'object' ? pieceInputs(optional(auth.props), credentials) : {};
  if (type === 'SECRET_TEXT') return { type, secret_text: credentials.apiKey };
  if (type === 'BASIC_AUTH') return { type, username: credentials.username, password: credentials.password };
  if (type === 'OAUTH2') return { type, access_token: credentials.accessToken, token_type: 'Bearer', data: {}, props };
  return { type, props };
}

/** The connection was checked when it was made. */
function optional(props: Record<string, PieceProperty>): Record<string, PieceProperty> {
  return Object.fromEntries(Object.entries(props).map(([key, each]) => [key, { ...each, required: false }]));
}
