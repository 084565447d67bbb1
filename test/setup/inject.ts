import type { Given } from './stack.ts';

/** Where test/run.mjs leaves it for the files that it runs: JSON. */
const GIVEN = process.env.PERDURE_TEST_GIVEN;

/** What the run has made for its tests: the one stack that serves them, where their room asks for one. */
export function inject<Name extends keyof Given>(name: Name): Given[Name] {
  const given = JSON.parse(GIVEN ?? '{}') as Given;
  if (!(name in given)) throw new Error(`This run has no ${name}: run it by test/run.mjs, in a room that has one`);
  return given[name];
}
