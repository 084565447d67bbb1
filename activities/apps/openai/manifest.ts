import type { ActionManifest, AppManifest, ConnectionType } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_NUMBER, A_TEXT, ANYTHING, fixed, listOf, TOKEN_COUNTS } from '../../../domain/app/outputSchema.ts';
import type { Field } from '../../../domain/field.ts';
import { icon } from '../icon.ts';

const ANSWERED = {
  finishReason: A_TEXT,
  model: A_TEXT,
  usage: fixed(TOKEN_COUNTS),
};

const API_KEY: ConnectionType = {
  connectionId: 'apiKey',
  name: 'API key',
  type: 'apiKey',
  fields: [
    { key: 'apiKey', label: 'API key', type: 'secret', required: true },
    {
      key: 'baseUrl',
      label: 'Address',
      type: 'text',
      required: false,
      help: "Base URL of any provider with OpenAI's API, such as https://models.example.com/v1. Default: https://api.openai.com/v1.",
    },
  ],
};

const MODEL: Field = {
  key: 'model',
  label: 'Model',
  type: 'text',
  required: true,
  help: 'Name of the model at the provider.',
};
const TIMEOUT: Field = {
  key: 'timeoutMs',
  label: 'Timeout (ms)',
  type: 'number',
  required: false,
  default: 120_000,
  help: 'Timeout of the whole answer.',
};

const CONVERSATION: Field[] = [
  MODEL,
  {
    key: 'prompt',
    label: 'Prompt',
    type: 'longText',
    required: false,
    help: 'The question; it follows the messages, if any.',
  },
  { key: 'system', label: 'Instructions', type: 'longText', required: false },
  {
    key: 'messages',
    label: 'Messages',
    type: 'json',
    required: false,
    help: 'A conversation so far: a list of {"role": "user", "assistant" or "system", "content": text}.',
  },
  { key: 'temperature', label: 'Temperature', type: 'number', required: false, help: '0 to 2.' },
  { key: 'maxTokens', label: 'Most tokens of the answer', type: 'number', required: false },
];

const USAGE = { inputTokens: 21, outputTokens: 2, totalTokens: 23, cachedInputTokens: 0, reasoningTokens: 0 };

const CHAT: ActionManifest = {
  actionId: 'chat',
  name: 'Chat',
  description:
    'Asks a language model and returns its answer as text. finishReason is length if the answer was cut off, content_filter if the provider withheld it.',
  inputConfig: { fields: [...CONVERSATION, TIMEOUT] },
  outputExample: { text: 'Hello Ada', finishReason: 'stop', model: 'gpt-5-mini', usage: USAGE },
  outputSchema: fixed({ text: A_TEXT, ...ANSWERED }),
  effect: 'read',
  repeatable: true,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
};

const STRUCTURED: ActionManifest = {
  actionId: 'structured',
  name: 'Structured output',
  description: 'Asks a language model for a value that fits a JSON Schema; an answer that does not fit fails the step.',
  inputConfig: {
    fields: [
      ...CONVERSATION,
      {
        key: 'schema',
        label: 'JSON Schema',
        type: 'json',
        required: true,
        help: 'Of an object, such as {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": false}.',
      },
      {
        key: 'strict',
        label: 'Strict',
        type: 'boolean',
        required: false,
        default: true,
        help: 'The provider enforces the schema; it then accepts only some kinds of schemas.',
      },
      TIMEOUT,
    ],
  },
  outputExample: { value: { city: 'London' }, finishReason: 'stop', model: 'gpt-5-mini', usage: USAGE },
  outputSchema: fixed({ value: ANYTHING, ...ANSWERED }),
  effect: 'read',
  repeatable: true,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
};

const EMBEDDING: ActionManifest = {
  actionId: 'embedding',
  name: 'Embedding',
  description:
    'Returns the vectors of texts, in their order: texts with a similar meaning have vectors near each other.',
  inputConfig: {
    fields: [
      MODEL,
      { key: 'input', label: 'Texts', type: 'json', required: true, help: 'A text, or a list of up to 2,048 texts.' },
      { key: 'dimensions', label: 'Dimensions', type: 'number', required: false, help: "Default: the model's own." },
      TIMEOUT,
    ],
  },
  outputExample: { vectors: [[0, 1]], dimensions: 2, model: 'text-embedding-3-small', usage: { inputTokens: 1 } },
  outputSchema: fixed({
    vectors: listOf(listOf(A_NUMBER)),
    dimensions: A_COUNT,
    model: A_TEXT,
    usage: fixed({ inputTokens: A_COUNT }),
  }),
  effect: 'read',
  repeatable: true,
  requiresConnection: true,
  permissions: [],
  placement: 'remote',
};

export const OPENAI: AppManifest = {
  appId: 'openai',
  name: 'OpenAI',
  description: 'Calls language models of OpenAI, or of any provider with its API.',
  icon: icon(
    '<path d="M12 3v4"/><path d="M12 17v4"/><path d="M3 12h4"/><path d="M17 12h4"/><path d="m6 6 2.5 2.5"/><path d="m15.5 15.5 2.5 2.5"/><path d="m6 18 2.5-2.5"/><path d="m15.5 8.5 2.5-2.5"/>',
  ),
  categories: ['AI'],
  connectionTypes: [API_KEY],
  actions: [CHAT, STRUCTURED, EMBEDDING],
  triggers: [],
};
