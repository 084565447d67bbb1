import { expect, test } from '@jest/globals';
import type { ReportedCase } from './caseReport.ts';
import { junitText } from './junitText.ts';

const PASSED: ReportedCase = {
  ...{ workflow: 'pay', name: 'a "quoted" & <marked> name', file: 'tests/pay.yaml', line: 3, durationMs: 1_234 },
  ...{ status: 'passed', problems: [], places: [] },
};
const FAILED: ReportedCase = {
  ...{ workflow: 'pay', name: 'two\nlines', file: 'tests/pay.yaml', line: 9, durationMs: 20, status: 'failed' },
  problems: ['output: saw "<a>\u0000\u001b[31m"', 'path: none'],
  places: ['tests/pay.yaml:10:5', 'tests/pay.yaml:11:5'],
};
const OTHER: ReportedCase = { ...PASSED, name: 'other', file: 'tests/other.yaml' };

test('a report is JUnit XML with a suite for each file; everything in it is escaped', () => {
  expect(junitText({ passed: 2, failed: 1, cases: [PASSED, FAILED, OTHER], coverage: {} })).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="perdure test" tests="3" failures="1" errors="0" skipped="0" time="2.488">
  <testsuite name="tests/pay.yaml" tests="2" failures="1" errors="0" skipped="0" time="1.254">
    <testcase name="a &quot;quoted&quot; &amp; &lt;marked&gt; name" classname="pay" file="tests/pay.yaml" line="3" time="1.234"/>
    <testcase name="two&#10;lines" classname="pay" file="tests/pay.yaml" line="9" time="0.020">
      <failure message="output: saw &quot;&lt;a&gt;\ufffd\ufffd[31m&quot;" type="expectation">tests/pay.yaml:10:5: output: saw &quot;&lt;a&gt;\ufffd\ufffd[31m&quot;
tests/pay.yaml:11:5: path: none</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/other.yaml" tests="1" failures="0" errors="0" skipped="0" time="1.234">
    <testcase name="other" classname="pay" file="tests/other.yaml" line="3" time="1.234"/>
  </testsuite>
</testsuites>
`,
  );
});
