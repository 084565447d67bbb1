import { addCosts, type Cost, costOf, type ModelPrices } from './cost.ts';

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  /** Present if every token has a price. */
  cost?: Cost;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
};

/** Usage in the OpenAI protocol, streamed or not. A provider may send any value. */
export interface ProviderUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
}

/** More than any call uses. Sums stay exact. */
const MAX_TOKENS = 1_000_000_000_000;

export function usageOf(usage: ProviderUsage | null | undefined): Usage {
  const inputTokens = tokensOf(usage?.prompt_tokens) ?? 0;
  const outputTokens = tokensOf(usage?.completion_tokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: tokensOf(usage?.total_tokens) ?? inputTokens + outputTokens,
    cachedInputTokens: tokensOf(usage?.prompt_tokens_details?.cached_tokens) ?? 0,
    reasoningTokens: tokensOf(usage?.completion_tokens_details?.reasoning_tokens) ?? 0,
  };
}

function tokensOf(given: unknown): number | undefined {
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return Math.min(Math.max(Math.round(number), 0), MAX_TOKENS);
}

export function priced(usage: Usage, prices: ModelPrices | undefined, model: string): Usage {
  if (prices === undefined || !Object.hasOwn(prices.models, model)) return usage;
  const price = prices.models[model];
  return price === undefined ? usage : { ...usage, cost: costOf(usage, price, prices.currency) };
}

/** The sum has a cost only if both have one; a partial cost would look complete. */
export function addUsage(one: Usage, other: Usage): Usage {
  const cost = costOfBoth(one, other);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...(cost === undefined ? {} : { cost }),
  };
}

function costOfBoth(one: Usage, other: Usage): Cost | undefined {
  if (one.totalTokens === 0) return other.cost;
  if (other.totalTokens === 0) return one.cost;
  return one.cost && other.cost && addCosts(one.cost, other.cost);
}
