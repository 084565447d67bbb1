import type { ActionManifest } from '../../../domain/app/manifest.ts';
import { A_TEXT, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const TABLE_ICON = icon(
  '<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M3 10h18"/><path d="M9 10v10"/><path d="M15 10v10"/>',
);
const BRACES_ICON = icon(
  '<path d="M9 4H8a3 3 0 0 0-3 3v2a3 3 0 0 1-2 3 3 3 0 0 1 2 3v2a3 3 0 0 0 3 3h1"/><path d="M15 4h1a3 3 0 0 1 3 3v2a3 3 0 0 0 2 3 3 3 0 0 0-2 3v2a3 3 0 0 1-3 3h-1"/>',
);
const DELIMITER: Field = { key: 'delimiter', label: 'Delimiter', type: 'text', required: false, default: ',' };

export const PARSE_CSV: ActionManifest = {
  actionId: 'parseCsv',
  name: 'Read CSV',
  description: 'Parses CSV to objects with the names of its first line, or to lists.',
  icon: TABLE_ICON,
  inputConfig: {
    fields: [
      { key: 'text', label: 'CSV', type: 'longText', required: false, default: '' },
      DELIMITER,
      {
        key: 'header',
        label: 'First line contains names',
        type: 'boolean',
        required: false,
        default: true,
        help: 'A column without a name is called e.g. column3, the second of a name gets _2. Off: each line is a list.',
      },
      {
        key: 'trim',
        label: 'Trim the cells',
        type: 'boolean',
        required: false,
        default: true,
        help: 'Cells in quotes stay as they are.',
      },
      {
        key: 'inferTypes',
        label: 'Recognise numbers',
        type: 'boolean',
        required: false,
        default: false,
        help: 'Numbers, true and false get their types and empty cells become null; numbers with leading zeros or beyond 2^53 stay text.',
      },
    ],
  },
  outputExample: [{ sku: 'A-1', count: 2 }],
  outputSchema: listOf(),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const WRITE_CSV: ActionManifest = {
  actionId: 'writeCsv',
  name: 'Write CSV',
  description: 'Writes a list of objects or of lists as CSV.',
  icon: TABLE_ICON,
  inputConfig: {
    fields: [
      { key: 'rows', label: 'Rows', type: 'json', required: true, help: 'A list of objects, or a list of lists.' },
      {
        key: 'columns',
        label: 'Columns',
        type: 'json',
        required: false,
        help: 'A list of field paths, in order. Default: every key, in order of appearance.',
      },
      { key: 'header', label: 'First line contains names', type: 'boolean', required: false, default: true },
      DELIMITER,
      {
        key: 'lineEnd',
        label: 'Line end',
        type: 'select',
        required: false,
        default: 'lf',
        options: [
          { value: 'lf', label: 'LF' },
          { value: 'crlf', label: 'CR LF' },
        ],
      },
      {
        key: 'escapeFormulas',
        label: 'Escape formulas',
        type: 'boolean',
        required: false,
        default: false,
        help: "Puts ' before texts that a spreadsheet would run as a formula. Use it for untrusted data.",
      },
    ],
  },
  outputExample: 'sku,count\nA-1,2\n',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const PARSE_JSON: ActionManifest = {
  actionId: 'parseJson',
  name: 'Read JSON',
  description: 'Parses a JSON text.',
  icon: BRACES_ICON,
  inputConfig: { fields: [{ key: 'text', label: 'JSON', type: 'longText', required: true }] },
  outputExample: { sku: 'A-1', count: 2 },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const WRITE_JSON: ActionManifest = {
  actionId: 'writeJson',
  name: 'Write JSON',
  description: 'Writes any value as JSON.',
  icon: BRACES_ICON,
  inputConfig: {
    fields: [
      { key: 'value', label: 'Value', type: 'json', required: false },
      {
        key: 'indent',
        label: 'Indent',
        type: 'number',
        required: false,
        default: 0,
        help: 'Spaces for each level, 0 to 10; 0 writes one line.',
      },
    ],
  },
  outputExample: '{"sku":"A-1","count":2}',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};
