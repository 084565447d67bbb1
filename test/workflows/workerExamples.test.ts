// test: long
import { expect, test } from '@jest/globals';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { exampleFolder, exampleWorker, type Language, missingFor } from '../setup/stack/exampleWorker.ts';
import { inject } from '../setup/stack/inject.ts';
import { makeHome } from '../setup/workspace/home.ts';

const LANGUAGES: Language[] = ['python', 'typescript', 'go'];

for (const language of LANGUAGES) {
  const missing = missingFor(language);
  const title = `the example of ${language} runs with its real SDK`;
  if (missing !== undefined) test.skip(`${title} (NOT RUN: ${missing} is missing)`, () => undefined);
  else test(title, () => runs(language), 600_000);
}

/** A folder of examples/workers as a stranger uses it: its app, its workflow, its worker. */
async function runs(language: Language): Promise<void> {
  const home = await makeHome();
  const { perdure } = commandFolder({ PERDURE_URL: home.url, PERDURE_API_KEY: home.apiKey });
  const applied = await perdure(['apply', exampleFolder(language), '--yes']);
  expect(applied).toMatchObject({ code: 0 });
  await exampleWorker(language, { PERDURE_URL: home.url, TEMPORAL_ADDRESS: inject('stack').temporalAddress });

  const [workflow] = (await home.api('GET', '/api/workflows')).body;
  const bill = async (price: number) =>
    home.ended(await home.execute(workflow.id, { customer: 'Ada', items: [{ price, quantity: 2 }] }));
  const small = await bill(4);
  expect(small).toMatchObject({ status: 'COMPLETED', output: { chargeId: expect.stringMatching(/^ch_/), amount: 8 } });
  const large = await bill(60);
  expect(large).toMatchObject({ status: 'COMPLETED', output: { chargeIds: { length: 3 } } });
  const wrong = await bill(-1);
  expect(wrong).toMatchObject({ status: 'FAILED' });
  expect(wrong.executionPath.at(-1)).toMatchObject({
    attempt: 1,
    error: { code: 'AMOUNT_INVALID', message: 'The amount must be positive' },
  });
}
