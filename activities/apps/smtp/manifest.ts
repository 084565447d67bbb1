import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_TEXT, fixed, listOf } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';
import { mailServer } from '../mail/connectionType.ts';

const address = (key: string, label: string, help: string): Field => ({
  ...{ key, label, help },
  type: 'text',
  required: false,
});

const SEND: ActionManifest = {
  actionId: 'send',
  name: 'Send an e-mail',
  description:
    'Sends an e-mail. Every attempt has the same Message-ID, by which many servers drop a second copy; not all do.',
  inputConfig: {
    fields: [
      { ...address('to', 'To', 'Addresses with commas between them.'), required: true },
      address('cc', 'Cc', 'Addresses with commas between them.'),
      address('bcc', 'Bcc', 'Addresses with commas between them; other recipients do not see them.'),
      address('from', 'From', 'Such as Shop <shop@example.com>. Default: the user of the connection.'),
      address('replyTo', 'Reply to', 'An address for answers, if it is not the sender.'),
      { key: 'subject', label: 'Subject', type: 'text', required: false, default: '' },
      { key: 'text', label: 'Text', type: 'longText', required: false, default: '' },
      { key: 'html', label: 'HTML', type: 'longText', required: false, help: 'Mail programs without HTML show Text.' },
      {
        key: 'headers',
        label: 'Headers',
        type: 'json',
        required: false,
        help: 'Further headers, such as {"X-Order": "17"}.',
      },
    ],
    objects: ['headers'],
  },
  outputExample: {
    messageId: '<fec07dd14ac0d78fb9e88ad5bb1e2db3@example.com>',
    accepted: ['ada@example.com'],
    rejected: [],
  },
  outputSchema: fixed({ messageId: A_TEXT, accepted: listOf(A_TEXT), rejected: listOf(A_TEXT) }),
  effect: 'write',
  repeatable: false,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
  timeoutMs: 60_000,
};

export const SMTP: AppManifest = {
  appId: 'smtp',
  name: 'E-mail (SMTP)',
  description: 'Sends e-mails through your mail server.',
  icon: icon('<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3 7 9 6 9-6"/>'),
  categories: ['Communication'],
  connectionTypes: [mailServer('SMTP server', 587, 465, false)],
  actions: [SEND],
  triggers: [],
};
