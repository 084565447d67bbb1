/** The run fails if more tests than this passed only at their second try. */
export const MAX_FLAKY = 3;
const SHOWN = 2_000;
/** Stack lines that say nothing about the test. */
const OF_JEST = /^ +at .*(node_modules\/jest-|processTicksAndRejections|new Promise \()/;

/**
 * The end of a run's output, for one report or several.
 * @param {(import('./callJest.mjs').TestResult & { flaky?: boolean, suite?: string })[]} results
 * @param {string[]} [leftOut] Files that the run left out.
 * @returns {{ lines: string[], isGood: boolean }} The last line is `N passed, N failed`.
 */
export function closing(results, leftOut = []) {
  const linesOf = (word, one) => {
    const place = [one.suite, one.room].filter(Boolean).join(' ');
    const error = (one.error ?? '').split('\n').filter((line) => !OF_JEST.test(line));
    return [`${word} in ${place}: ${one.file}: ${one.name ?? 'the file'}`, error.join('\n').slice(0, SHOWN)];
  };
  const flaky = results.filter((one) => one.flaky);
  const failed = results.filter(({ status }) => status === 'failed');
  const passed = results.filter(({ status }) => status === 'passed');
  const isTooFlaky = flaky.length > MAX_FLAKY;
  const count = {
    passed: passed.length - (isTooFlaky ? flaky.length : 0),
    failed: failed.length + (isTooFlaky ? flaky.length : 0),
  };
  return {
    lines: [
      ...failed.flatMap((one) => linesOf('FAILED', one)),
      ...flaky.flatMap((one) => linesOf('FLAKY', one)),
      ...(isTooFlaky ? [`More than ${MAX_FLAKY} tests are FLAKY: they count as failed.`] : []),
      ...(leftOut.length > 0
        ? [`Left out are ${leftOut.length} long files; \`npm test -- --all\` runs them too: ${leftOut.join(', ')}`]
        : []),
      `${count.passed} passed, ${count.failed} failed`,
    ],
    isGood: count.failed === 0 && count.passed > 0,
  };
}
