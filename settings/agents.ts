import { z } from 'zod';
import { PRICE, PRICE_DECIMALS } from '../domain/agent/cost.ts';
import { atMost, bytes, count, json, ms, retentionDays } from './values.ts';

/** A number or a string, since JSON has no exact decimals. */
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
      "Base URL of the default model provider; it must implement OpenAI's API. It may be a private host; connections of workspaces still cannot reach that host.",
    ),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'Prices of models, as JSON: `{"currency": "USD", "models": {"<model>": {"input": 0.4, "cachedInput": 0.1, "output": 1.6}}}`, each for a million tokens. Usage then contains a `cost`.',
    ),
  PROVIDER_MAX_ANSWER_BYTES: bytes
    .default(67_108_864)
    .describe('Maximum answer of a model provider, decompressed; a larger one fails the call.'),
  MODEL_FIRST_BYTE_TIMEOUT_MS: ms
    .default(600_000)
    .describe(
      'Maximum time until a model provider begins its answer to an agent, or to the naming of a task. A step of the app openai has its input `timeoutMs`.',
    ),
  MODEL_IDLE_TIMEOUT_MS: ms
    .default(600_000)
    .describe(
      'Maximum silence of a model provider within an answer; keep-alive comments count as a sign of life. A model that thinks silently for longer is interrupted and called again.',
    ),
  MODEL_CALL_TIMEOUT_MS: ms
    .max(3_600_000)
    .default(1_800_000)
    .describe(
      'Maximum duration of one answer of a model provider to an agent, or to the naming of a task, however steadily it arrives; at most an hour. A longer one is interrupted, and the model is called again as often as the agent allows; a step of the app openai has its input `timeoutMs`.',
    ),
  MODEL_RETRY_MAX_WAIT_MS: atMost
    .default(60_000)
    .describe(
      'Maximum time that one model call of a turn waits between its tries, in milliseconds. If a provider asks for more (`Retry-After`), the turn fails, and its error says when to try again.',
    ),
  MODEL_MAX_CALLS: count
    .default(128)
    .describe('Maximum tool calls that run for one answer of a model; the model receives errors for the others.'),
  TURN_WAIT_MS: ms
    .default(600_000)
    .describe("Time that `message` waits for the end of an agent's turn, including the turns queued before it."),
  AGENT_MAX_DEPTH: count
    .default(5)
    .describe(
      'Maximum length of a chain of agents that call each other as tools or through workflows, the first included; a longer chain fails.',
    ),
  AGENT_MEMORY_MAX_FACTS: count
    .default(200)
    .describe(
      'Maximum facts that an agent remembers for each person or API key, or for all callers together (memoryScope).',
    ),
  TASK_RETENTION_DAYS: retentionDays.describe(
    'Days after their last activity after which tasks of agents are deleted, with their messages, turns and usage; 0 keeps them. A task with an open turn, or one that waits for an approval, stays, and so does the conversation that it belongs to.',
  ),
  MCP_INLINE_MS: ms
    .default(20_000)
    .describe(
      'Time that a call of a tool of our own MCP server waits for its execution or turn. A longer one is answered with its id, and get_execution continues it.',
    ),
  MCP_QUESTION_MS: ms
    .default(300_000)
    .describe('Time that such a call waits for a person whom the client shows a question of the execution.'),
  MCP_MAX_EXPOSED_TOOLS: count
    .default(500)
    .describe('Maximum workflows and agents of one workspace that are tools of the MCP server (`exposeAsTool`).'),
  MCP_LIST_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout for listing the tools of an MCP server at the beginning of a turn.'),
  MCP_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one call of a tool of an MCP server.'),
  MCP_MAX_TOOLS: count
    .default(100)
    .describe('Maximum tools that an agent uses of one MCP server; further ones are ignored.'),
  MCP_MAX_TOOL_BYTES: bytes
    .default(16_384)
    .describe(
      'Maximum size of the name, description and schema of a tool of an MCP server together, as JSON; a larger tool is ignored.',
    ),
  MCP_MAX_ANSWER_BYTES: bytes
    .default(10_485_760)
    .describe('Maximum answer of an MCP server, decompressed; a larger one fails the call.'),
};
