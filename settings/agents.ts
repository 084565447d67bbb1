import { z } from 'zod';
import { PRICE, PRICE_DECIMALS } from '../domain/agent/cost.ts';
import { atMost, bytes, count, json, ms, retentionDays } from './values.ts';

/** A number or a text: JSON has no exact decimals. */
const price = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(PRICE, `expected a price such as 0.4, with at most ${PRICE_DECIMALS} decimals`));

const modelPrices = json('a JSON object').pipe(
  z.strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, 'expected a currency of ISO 4217 such as USD'),
    models: z.record(z.string(), z.strictObject({ input: price, cachedInput: price.optional(), output: price })),
  }),
);

export const AGENT_SETTINGS = {
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe(
      'API key of the default model provider, for agents and knowledge bases without a connection of their own. Absent: agents need a connection, and embeddings are local.',
    ),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe(
      "Base URL of the default model provider; it must implement OpenAI's API. It may be a private host, which no connection of a workspace reaches by that.",
    ),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'Prices of models, as JSON: `{"currency": "USD", "models": {"<model>": {"input": 0.4, "cachedInput": 0.1, "output": 1.6}}}`, each for a million tokens. Usage then contains a `cost`.',
    ),
  PROVIDER_MAX_ANSWER_BYTES: bytes
    .default(67_108_864)
    .describe('Largest answer of a model provider, decompressed; the call fails beyond it.'),
  MODEL_FIRST_BYTE_TIMEOUT_MS: ms
    .default(600_000)
    .describe(
      'Longest time before a model provider begins its answer to an agent, or to the naming of a task. A step of the app openai has its input `timeoutMs`.',
    ),
  MODEL_IDLE_TIMEOUT_MS: ms
    .default(600_000)
    .describe(
      'Longest time in which a model provider sends nothing within an answer, keep-alive comments included: a model that thinks silently for longer is broken off, and asked again.',
    ),
  MODEL_CALL_TIMEOUT_MS: ms
    .max(3_600_000)
    .default(1_800_000)
    .describe(
      'Longest time of one answer of a model provider to an agent, or to the naming of a task, however steadily it comes; at most an hour. Longer is broken off, and asked again as often as the agent says. A step of the app openai has its input `timeoutMs`.',
    ),
  MODEL_RETRY_MAX_WAIT_MS: atMost
    .default(60_000)
    .describe(
      'Longest time that one model call of a turn waits between its tries. A provider that asks for more (`Retry-After`) ends the turn, whose error says when to come back. In milliseconds.',
    ),
  MODEL_MAX_CALLS: count
    .default(128)
    .describe('Most calls of tools that are made of one answer of a model; the model receives errors for the others.'),
  TURN_WAIT_MS: ms
    .default(600_000)
    .describe("Time that `message` waits for the end of an agent's turn, including the turns queued before it."),
  AGENT_MAX_DEPTH: count
    .default(5)
    .describe(
      'Deepest chain of agents that call each other as tools or through workflows, the first included; a deeper call fails.',
    ),
  AGENT_MEMORY_MAX_FACTS: count
    .default(200)
    .describe(
      'Most facts that an agent remembers for each person or API key, or for all callers together (memoryScope).',
    ),
  TASK_RETENTION_DAYS: retentionDays.describe(
    'Days after their last activity after which tasks of agents are deleted, with their messages, turns and usage; 0 keeps them. A task with an open turn, or one that waits for an approval, stays, and so does the conversation that it belongs to.',
  ),
  MCP_LIST_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout for listing the tools of an MCP server at the beginning of a turn.'),
  MCP_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one call of a tool of an MCP server.'),
  MCP_MAX_TOOLS: count
    .default(100)
    .describe('Most tools that an agent takes from one MCP server; further ones are left out.'),
  MCP_MAX_TOOL_BYTES: bytes
    .default(16_384)
    .describe(
      'Largest name, description and schema of a tool of an MCP server together, as JSON; a larger tool is left out.',
    ),
  MCP_MAX_ANSWER_BYTES: bytes
    .default(10_485_760)
    .describe('Largest answer of an MCP server, decompressed; the call fails beyond it.'),
};
