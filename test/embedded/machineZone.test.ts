import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const EXPRESSIONS: readonly [string, unknown][] = [
  ['timestamp("2026-07-01T00:30:00Z").getDayOfYear()', 181],
  ['timestamp("2026-07-01T00:30:00Z").getDayOfYear("America/New_York")', 180],
  // This local time does not exist in Berlin, because the clocks go forward.
  ['timestamp("2026-03-29T06:30:00Z").getHours("America/New_York")', 2],
  ['timestamp("2026-03-08T01:30:00Z").getHours("Europe/Berlin")', 2],
  ['timestamp("2026-03-29T06:30:00Z").getDate("Asia/Kolkata")', 29],
  ['formatTime("2026-03-29T06:30:00Z", "yyyy-MM-dd HH:mm XXX", "America/New_York")', '2026-03-29 02:30 -04:00'],
  ['timestamp("2026-03-29")', '2026-03-29T00:00:00.000Z'],
];

// A process reads its time zone when it starts.
test.each(['UTC', 'Europe/Berlin', 'America/New_York'])('expressions give the same on a machine in %s', (zone) => {
  const module = join(PROJECT_ROOT, 'dist/domain/expression/compiledValue.js');
  const values = EXPRESSIONS.map(([expression]) => `{{ ${expression} }}`);
  const script = `import { compileValue } from ${JSON.stringify(module)};
    const scope = { trigger: {}, steps: {}, variables: {}, execution: {} };
    console.log(JSON.stringify(compileValue(${JSON.stringify(values)}).evaluate(scope)));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ: zone },
  });
  expect(JSON.parse(printed.toString())).toEqual(EXPRESSIONS.map(([, expected]) => expected));
});
