import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_TEXT } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

/** Not required, because a required field rejects an empty text, which is valid here. */
const TEXT_FIELD: Field = { key: 'text', label: 'Text', type: 'longText', required: false, default: '' };

function choice(key: string, label: string, values: [string, string][], help?: string): Field {
  return {
    key,
    label,
    type: 'select',
    required: false,
    default: values[0]?.[0] ?? '',
    options: values.map(([value, name]) => ({ value, label: name })),
    ...(help === undefined ? {} : { help }),
  };
}

const ALGORITHM = choice(
  'algorithm',
  'Algorithm',
  [
    ['sha256', 'SHA-256'],
    ['sha512', 'SHA-512'],
    ['sha1', 'SHA-1'],
    ['md5', 'MD5'],
  ],
  'Use SHA-1 and MD5 only if the other side requires them: they are broken.',
);
const ENCODING = choice('encoding', 'Written as', [
  ['hex', 'Hexadecimal'],
  ['base64', 'Base64'],
  ['base64url', 'Base64, URL-safe'],
]);
const BYTE_ENCODINGS: [string, string][] = [
  ['utf8', 'Text (UTF-8)'],
  ['hex', 'Hexadecimal'],
  ['base64', 'Base64'],
];

const HASH: ActionManifest = {
  actionId: 'hash',
  name: 'Hash',
  description: 'The digest of a text.',
  icon: icon('<path d="M4 9h16"/><path d="M4 15h16"/><path d="M10 3 8 21"/><path d="m16 3-2 18"/>'),
  inputConfig: { fields: [TEXT_FIELD, ALGORITHM, ENCODING, choice('textEncoding', 'The text is', BYTE_ENCODINGS)] },
  outputExample: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const HMAC: ActionManifest = {
  actionId: 'hmac',
  name: 'HMAC',
  description: "Signs a text with a shared secret, e.g. for another system's webhook.",
  icon: icon('<circle cx="8" cy="15" r="4.5"/><path d="m11.5 11.5 8-8"/><path d="m15.5 7.5 3 3"/>'),
  inputConfig: {
    fields: [
      TEXT_FIELD,
      {
        key: 'secret',
        label: 'Secret',
        type: 'secret',
        required: true,
        help: 'Use a variable: {{ variables.signingSecret }}.',
      },
      choice('secretEncoding', 'The secret is', BYTE_ENCODINGS),
      ALGORITHM,
      ENCODING,
    ],
  },
  outputExample: '88aab3ede8d3adf94d26ab90d3bafd4a2083070c3bcce9c014ee04a443847c0b',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

const UUID: ActionManifest = {
  actionId: 'uuid',
  name: 'UUID',
  description:
    'A unique identifier, derived from the execution and the step, so that it stays the same if the step runs again after a crash. Not a secret.',
  icon: icon(
    '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M7 9v6"/><path d="M11 9v6"/><path d="M11 9h2.5a3 3 0 0 1 0 6H11"/>',
  ),
  inputConfig: { fields: [] },
  outputExample: '59730ee2-c9db-55e0-93b1-d294378f2148',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
  usesKey: true,
};

const BASE64: ActionManifest = {
  actionId: 'base64',
  name: 'Base64',
  description: 'Encodes a text as Base64, or decodes it.',
  icon: icon(
    '<rect x="3" y="4" width="7" height="16" rx="1"/><path d="M14 8h7"/><path d="m18 5 3 3-3 3"/><path d="M21 16h-7"/><path d="m17 13-3 3 3 3"/>',
  ),
  inputConfig: {
    fields: [
      TEXT_FIELD,
      choice('direction', 'Direction', [
        ['encode', 'Encode'],
        ['decode', 'Decode'],
      ]),
      {
        key: 'urlSafe',
        label: 'URL-safe',
        type: 'boolean',
        required: false,
        default: false,
        help: 'For encoding: - and _ instead of + and /, without padding. Decoding accepts both.',
      },
    ],
  },
  outputExample: 'aGVsbG8=',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const CRYPTO: AppManifest = {
  appId: 'crypto',
  name: 'Crypto',
  description: 'Digests, signatures, identifiers and Base64.',
  icon: icon(
    '<rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/><path d="M12 15v2"/>',
  ),
  categories: ['Data', 'Security'],
  connectionTypes: [],
  actions: [HASH, HMAC, UUID, BASE64],
  triggers: [],
};
