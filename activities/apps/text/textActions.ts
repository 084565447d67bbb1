import type { ActionManifest } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_FLAG, A_TEXT, AN_OBJECT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

/** Not required, because a required field rejects an empty text, which is valid here. */
const TEXT_FIELD: Field = { key: 'text', label: 'Text', type: 'longText', required: false, default: '' };
const IGNORE_CASE = option('ignoreCase', 'Ignore case', false);
const MULTILINE = option('multiline', 'Multiline', false, '^ and $ match at each line.');
const DOT_ALL = option('dotAll', 'Dot matches line breaks', false);
const SYNTAX =
  'A regular expression of the RE2 syntax: linear time, without look-around and backreferences. (?P<name>…) names a group.';

function option(key: string, label: string, value: boolean, help?: string): Field {
  return { key, label, type: 'boolean', required: false, default: value, ...(help === undefined ? {} : { help }) };
}

export const TEMPLATE: ActionManifest = {
  actionId: 'template',
  name: 'Fill a template',
  description: 'Replaces {name} in a text by values.',
  icon: icon(
    '<path d="M8 4H6a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h2"/><path d="M16 4h2a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-2"/>',
  ),
  inputConfig: {
    fields: [
      {
        key: 'template',
        label: 'Template',
        type: 'longText',
        required: false,
        default: '',
        help: 'E.g. "Dear {customer.name}, {count} parcels left." A path reads from objects and lists (lines.0.sku); \\{name} becomes {name}; other braces stay.',
      },
      {
        key: 'values',
        label: 'Values',
        type: 'json',
        required: true,
        help: 'An object. Texts are inserted as they are, null as an empty text, everything else as JSON.',
      },
      {
        key: 'missing',
        label: 'A name without a value',
        type: 'select',
        required: false,
        default: 'fail',
        options: [
          { value: 'fail', label: 'Fails the step' },
          { value: 'empty', label: 'Becomes nothing' },
          { value: 'keep', label: 'Stays as it is' },
        ],
      },
    ],
    objects: ['values'],
  },
  outputExample: 'Dear Ada, 3 parcels left.',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const SPLIT: ActionManifest = {
  actionId: 'split',
  name: 'Split a text',
  description: 'Returns the parts between the separators as a list.',
  icon: icon(
    '<circle cx="6" cy="6" r="3"/><circle cx="6" cy="18" r="3"/><path d="M20 4 8.1 15.9"/><path d="M14.5 14.5 20 20"/><path d="M8.1 8.1 12 12"/>',
  ),
  inputConfig: {
    fields: [
      TEXT_FIELD,
      {
        key: 'separator',
        label: 'Separator',
        type: 'text',
        required: false,
        default: ',',
        help: 'Any text, such as a line break; an empty one splits into characters.',
      },
      option('trim', 'Trim the parts', true),
      option('dropEmpty', 'Drop empty parts', false),
    ],
  },
  outputExample: ['red', 'green', 'blue'],
  outputSchema: listOf(A_TEXT),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const JOIN: ActionManifest = {
  actionId: 'join',
  name: 'Join texts',
  description: 'Joins the elements of a list into one text.',
  icon: icon(
    '<path d="M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7"/><path d="M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7"/>',
  ),
  inputConfig: {
    fields: [
      {
        key: 'items',
        label: 'Items',
        type: 'json',
        required: true,
        help: 'A list. Texts are used unchanged, null is left out, other values become JSON.',
      },
      { key: 'separator', label: 'Separator', type: 'text', required: false, default: ', ' },
    ],
  },
  outputExample: 'red, green, blue',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const MATCH: ActionManifest = {
  actionId: 'match',
  name: 'Match a pattern',
  description: 'Finds the matches of a pattern in a text, with their groups.',
  icon: icon('<circle cx="11" cy="11" r="7"/><path d="m21 21-5-5"/><path d="M8 11h6"/>'),
  inputConfig: {
    fields: [
      TEXT_FIELD,
      { key: 'pattern', label: 'Pattern', type: 'text', required: true, help: SYNTAX },
      option('all', 'All matches', false, 'Otherwise the first.'),
      IGNORE_CASE,
      MULTILINE,
      DOT_ALL,
    ],
  },
  outputExample: {
    matched: true,
    matches: [{ text: 'A-17', index: 6, groups: ['A', '17'], named: { row: 'A', seat: '17' } }],
  },
  outputSchema: fixed({
    matched: A_FLAG,
    matches: listOf(fixed({ text: A_TEXT, index: A_COUNT, groups: listOf(), named: AN_OBJECT })),
  }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};

export const REPLACE: ActionManifest = {
  actionId: 'replace',
  name: 'Replace in a text',
  description: 'Replaces the matches of a pattern or a plain text.',
  icon: icon('<path d="M3 7h13l-4-4"/><path d="M21 17H8l4 4"/>'),
  inputConfig: {
    fields: [
      TEXT_FIELD,
      { key: 'pattern', label: 'Pattern', type: 'text', required: true, help: SYNTAX },
      {
        key: 'replacement',
        label: 'Replacement',
        type: 'text',
        required: false,
        default: '',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: shown to people
        help: '$1 and ${name} are groups, $0 is the whole match, $$ a dollar sign.',
      },
      option('literal', 'Plain text', false, 'Pattern and replacement are taken as they are.'),
      option('all', 'All matches', true, 'Otherwise the first.'),
      IGNORE_CASE,
      MULTILINE,
      DOT_ALL,
    ],
  },
  outputExample: '2026-11-21',
  outputSchema: A_TEXT,
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'inline',
};
