import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const ALL = fileURLToPath(import.meta.resolve('@mantine/core/styles.css'));
const EACH = join(dirname(ALL), 'styles');
const BUILT = join(PROJECT_ROOT, 'dist/console/assets');

const read = (path: string) => readFileSync(path, 'utf8');

test("the console has the styles of Mantine's components that it uses, no others, in Mantine's order", () => {
  const code = readdirSync(BUILT)
    .filter((file) => file.endsWith('.js'))
    .map((file) => read(join(BUILT, file)))
    .join('\n');
  const all = read(ALL);
  // Rules without a component's class apply to all components. Mantine makes its classes unique by a hash.
  const needed = readdirSync(EACH)
    .filter((file) => file.endsWith('.css') && !file.endsWith('.layer.css'))
    .map((file) => ({ file, css: read(join(EACH, file)).trim() }))
    .filter(({ css }) => {
      const classes = css.match(/(?<=\.)m_[0-9a-f]+/g) ?? [];
      return classes.length === 0 || classes.some((name) => code.includes(name));
    })
    .sort((one, other) => all.indexOf(one.css) - all.indexOf(other.css));
  for (const { file, css } of needed) expect([file, all.includes(css)]).toEqual([file, true]);
  const imported = read(join(PROJECT_ROOT, 'console/app/mantine.css')).match(
    /(?<=@mantine\/core\/styles\/)\w[\w-]*\.css/g,
  );
  expect(imported).toEqual(needed.map(({ file }) => file));
});
