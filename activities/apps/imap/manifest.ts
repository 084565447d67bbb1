import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_TEXT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field, InputField } from '../../../domain/field.ts';
import { icon } from '../icon.ts';
import { mailServer } from '../mail/connectionType.ts';

const MAILBOX: Field = { key: 'mailbox', label: 'Mailbox', type: 'text', required: false, default: 'INBOX' };
const LOADED = { options: { load: true } } satisfies Partial<InputField>;
const MAIL: InputField[] = [
  { ...MAILBOX, ...LOADED },
  { key: 'uid', label: 'UID', type: 'number', required: true, help: 'The uid of a mail of newMail.' },
  {
    key: 'uidValidity',
    label: 'UID validity',
    type: 'text',
    required: false,
    help: 'The uidValidity of newMail: the step fails if the server has renumbered the mailbox since.',
  },
];

const COMMON = {
  effect: 'write',
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
  timeoutMs: 60_000,
} satisfies Partial<ActionManifest>;

const MOVE: ActionManifest = {
  actionId: 'move',
  name: 'Move a mail',
  description: 'Moves a mail to another mailbox of the account, where it has another UID.',
  inputConfig: {
    fields: [
      ...MAIL,
      { key: 'to', label: 'To mailbox', type: 'text', required: true, ...LOADED, help: 'Such as Archive.' },
    ],
  },
  outputExample: { mailbox: 'Archive', uid: 3 },
  outputSchema: fixed({ mailbox: A_TEXT }, { uid: A_COUNT }),
  ...COMMON,
  repeatable: false,
};

const FLAG: ActionManifest = {
  actionId: 'flag',
  name: 'Flag a mail',
  description: 'Adds and removes flags of a mail.',
  inputConfig: {
    fields: [
      ...MAIL,
      {
        key: 'add',
        label: 'Add',
        type: 'json',
        required: false,
        help: 'A list of seen, answered, flagged, deleted, draft or keywords.',
      },
      { key: 'remove', label: 'Remove', type: 'json', required: false, help: 'A list like that of Add.' },
    ],
  },
  outputExample: { uid: 17, flags: ['\\Seen'] },
  outputSchema: fixed({ uid: A_COUNT, flags: listOf(A_TEXT) }),
  ...COMMON,
  repeatable: true,
};

export const IMAP: AppManifest = {
  appId: 'imap',
  name: 'E-mail (IMAP)',
  description: 'Watches a mailbox, and moves and flags its mails.',
  icon: icon('<path d="M3 13h5l2 3h4l2-3h5"/><path d="m3 13 3-8h12l3 8v6H3z"/>'),
  categories: ['Communication'],
  connectionTypes: [mailServer('IMAP server', 143, 993, true)],
  actions: [MOVE, FLAG],
  triggers: [
    {
      triggerId: 'newMail',
      name: 'New mail',
      description:
        'Each new mail of a mailbox, oldest first: from, to, subject, date, text, html, the names of its attachments, and its uid. Mails are read without marking them as seen. Of a mail of more than 1 MiB the first MiB is read; text and html have at most 100,000 characters; truncated says so.',
      permissions: [],
      inputConfig: { fields: [MAILBOX] },
    },
  ],
};
