import type { Given } from './runStack.ts';

/** Set by test/run.mjs for its files: JSON. */
const GIVEN = process.env.PERDURE_TEST_GIVEN;

/** Returns the data of the run for its tests, such as the shared stack if their room needs one. */
export function inject<Name extends keyof Given>(name: Name): Given[Name] {
  const given = JSON.parse(GIVEN ?? '{}') as Given;
  if (!(name in given)) throw new Error(`This run has no ${name}: run it by test/run.mjs, in a room that has one`);
  return given[name];
}
