import type { Given } from './runStack.ts';

/** Where test/run.mjs leaves it for the files that it runs: JSON. */
const GIVEN = process.env.PERDURE_TEST_GIVEN;

/** The data of the run for its tests: the shared stack, if their room needs one. */
export function inject<Name extends keyof Given>(name: Name): Given[Name] {
  const given = JSON.parse(GIVEN ?? '{}') as Given;
  if (!(name in given)) throw new Error(`This run has no ${name}: run it by test/run.mjs, in a room that has one`);
  return given[name];
}
