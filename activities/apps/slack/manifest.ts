import type { ActionManifest, AppManifest, ConnectionType, TriggerManifest } from '../../../domain/app/manifest.ts';
import { A_TEXT, fixed } from '../../../domain/app/outputSchema.ts';
import type { Field, InputField } from '../../../domain/field.ts';
import { icon } from '../icon.ts';
import { slackAddresses } from './addresses.ts';

const CHANNEL: InputField = {
  key: 'channel',
  label: 'Channel',
  type: 'text',
  required: true,
  options: { load: true },
  help: 'The ID of a channel or a person, such as C0123456789. Invite the app to the channel first.',
};
const MESSAGE: Field[] = [
  {
    key: 'text',
    label: 'Text',
    type: 'longText',
    required: true,
    help: "Slack's markup, such as *bold* and <https://example.com|a link>. At most 40,000 characters. With blocks: the text of notifications.",
  },
  {
    key: 'blocks',
    label: 'Blocks',
    type: 'json',
    required: false,
    help: 'A list of Block Kit blocks, at most 50: [{"type": "section", …}].',
  },
];

const COMMON = {
  outputExample: { channel: 'C0123456789', ts: '1763720130.000100' },
  outputSchema: fixed({ channel: A_TEXT, ts: A_TEXT }),
  effect: 'write',
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
  timeoutMs: 60_000,
} satisfies Partial<ActionManifest>;

const POST_MESSAGE: ActionManifest = {
  actionId: 'postMessage',
  name: 'Post a message',
  description:
    'Posts a message to a channel or a person. Slack does not detect repeated requests: an attempt whose response was lost may have posted it already.',
  inputConfig: {
    fields: [
      CHANNEL,
      ...MESSAGE,
      {
        key: 'threadTs',
        label: 'Reply to',
        type: 'text',
        required: false,
        help: 'The ts of a message, to reply in its thread.',
      },
    ],
  },
  ...COMMON,
  repeatable: false,
};

const UPDATE_MESSAGE: ActionManifest = {
  actionId: 'updateMessage',
  name: 'Change a message',
  description: 'Replaces the text and the blocks of a message that the app has posted.',
  inputConfig: {
    fields: [
      { ...CHANNEL, help: "The channel of postMessage's output." },
      { key: 'ts', label: 'Message', type: 'text', required: true, help: "The ts of postMessage's output." },
      ...MESSAGE,
    ],
  },
  ...COMMON,
  repeatable: true,
};

const EVENTS: TriggerManifest = {
  triggerId: 'events',
  name: 'Event',
  description:
    "Each event that a Slack app subscribes to, such as a message. Enter the workflow's address as its Request URL, and its signing secret as the signing key.",
  permissions: [],
  inputConfig: {
    fields: [
      {
        key: 'events',
        label: 'Types',
        type: 'text',
        required: false,
        help: 'Separated by commas: app_mention, message, reaction_added. Empty: all.',
      },
      { key: 'channel', label: 'Channel', type: 'text', required: false, help: 'The ID of a channel. Empty: all.' },
      {
        key: 'bots',
        label: 'Messages of bots',
        type: 'boolean',
        required: false,
        default: false,
        help: 'True: messages of apps too, also those of postMessage, which may start the workflow again and again.',
      },
    ],
  },
  webhook: { signature: 'slack' },
};

const BOT_TOKEN: ConnectionType = {
  connectionId: 'botToken',
  name: 'Bot token',
  type: 'apiKey',
  fields: [
    {
      key: 'botToken',
      label: 'Bot token',
      type: 'secret',
      required: true,
      help: 'Of the page "OAuth & Permissions" of your Slack app. It begins with xoxb-.',
    },
  ],
};

export function slack(url?: string): AppManifest {
  const { authorizationUrl, tokenUrl, host } = slackAddresses(url);
  return {
    appId: 'slack',
    name: 'Slack',
    description: 'Posts messages to Slack, and starts workflows by its events.',
    icon: icon(
      '<rect x="13" y="2" width="3" height="8" rx="1.5"/><rect x="8" y="14" width="3" height="8" rx="1.5"/><rect x="2" y="8" width="8" height="3" rx="1.5"/><rect x="14" y="13" width="8" height="3" rx="1.5"/>',
    ),
    categories: ['Communication'],
    connectionTypes: [
      {
        connectionId: 'oauth2',
        name: 'Slack workspace',
        type: 'oauth2',
        fields: [
          {
            key: 'clientId',
            label: 'Client id',
            type: 'text',
            required: false,
            help: "From your own Slack app. Empty: the deployment's.",
          },
          { key: 'clientSecret', label: 'Client secret', type: 'secret', required: false },
          {
            key: 'scopes',
            label: 'Scopes',
            type: 'text',
            required: false,
            help: 'Default: chat:write channels:read groups:read.',
          },
        ],
        oauth2: {
          ...{ authorizationUrl, tokenUrl, allowedHosts: host },
          ...{ scopes: 'chat:write channels:read groups:read', scopeSeparator: ',' },
        },
      },
      BOT_TOKEN,
    ],
    actions: [POST_MESSAGE, UPDATE_MESSAGE],
    triggers: [EVENTS],
  };
}
