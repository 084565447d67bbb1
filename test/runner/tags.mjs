import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first line of a test file names its tags: `// test: long, pglite` (CONTRIBUTING.md). */
export const TAGS = {
  long: 'a plain `npm test` leaves it out',
  pglite: '`npm test -- --database pglite` runs it',
};

const FIRST_LINE = /^\/\/ test: (.+)$/;

/**
 * @param {string} text of a test file
 * @returns {string[]} Throws if a tag is unknown.
 */
export function tagsIn(text) {
  const tags = FIRST_LINE.exec(text.split('\n', 1)[0])?.[1].split(', ') ?? [];
  const unknown = tags.filter((tag) => !Object.hasOwn(TAGS, tag));
  if (unknown.length > 0) throw new Error(`Unknown tag ${unknown.join(', ')}: ${Object.keys(TAGS).join(', ')}`);
  return tags;
}

/** @returns {string[]} */
export function tagsOf(root, file) {
  try {
    return tagsIn(readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error.message}`);
  }
}
