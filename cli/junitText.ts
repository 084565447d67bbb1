import type { ReportedCase, TestReport } from './caseReport.ts';

/** Returns the report as JUnit XML: a suite for each file of cases, times in seconds. */
export function junitText({ cases, failed }: TestReport): string {
  const byFile = new Map<string, ReportedCase[]>();
  for (const each of cases) byFile.set(each.file, [...(byFile.get(each.file) ?? []), each]);
  const suites = [...byFile].map(
    ([file, own]) =>
      `  <testsuite${attributes({ name: file, ...counts(own) })}>\n${own.map(caseText).join('')}  </testsuite>\n`,
  );
  const all = attributes({ name: 'perdure test', ...counts(cases), failures: failed });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${suites.join('')}</testsuites>\n`;
}

function counts(cases: readonly ReportedCase[]) {
  const failures = cases.filter(({ status }) => status === 'failed').length;
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return { tests: cases.length, failures, errors: 0, skipped: 0, time };
}

function caseText({ workflow, name, file, line, problems, places, durationMs }: ReportedCase): string {
  const head = `    <testcase${attributes({ name, classname: workflow, file, line, time: seconds(durationMs) })}`;
  if (problems.length === 0) return `${head}/>\n`;
  const lines = problems.map((problem, index) => `${places[index]}: ${problem}`);
  const failure = `<failure${attributes({ message: problems[0] ?? '', type: 'expectation' })}>${escaped(lines.join('\n'))}</failure>`;
  return `${head}>\n      ${failure}\n    </testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Characters that XML 1.0 does not allow, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters themselves
const NOT_ALLOWED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replace(NOT_ALLOWED, '\ufffd').replace(/[&<>"\r]/g, (each) => ENTITIES[each] ?? each);
}
