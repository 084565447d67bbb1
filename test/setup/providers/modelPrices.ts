/** MODEL_PRICES of the test stacks: only the model with this name has a price. */
export const PRICED_MODEL = 'priced-model';

export const MODEL_PRICES = JSON.stringify({
  currency: 'EUR',
  models: { [PRICED_MODEL]: { input: 0.4, cachedInput: '0.1', output: 1.6 } },
});
