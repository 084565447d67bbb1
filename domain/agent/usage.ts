import { addCosts, type Cost, costOf, type ModelPrices } from './cost.ts';

/** Tokens of a step, a turn or a task. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  /** Where there is a price of all of it. */
  cost?: Cost;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
};

/** With its cost, where the deployment gives a price of the model. */
export function priced(usage: Usage, prices: ModelPrices | undefined, model: string): Usage {
  if (prices === undefined || !Object.hasOwn(prices.models, model)) return usage;
  const price = prices.models[model];
  return price === undefined ? usage : { ...usage, cost: costOf(usage, price, prices.currency) };
}

/** The cost is that of both, or none: a part of it would be taken for the whole. */
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
