/** A word: quoted texts, placeholders, substitutions, other characters; `#` except at its beginning. */
const WORD = /\s*((?:'[^']*'|"(?:[^"\\]|\\.)*"|<[\w -]+>|\$\([^)]*\)|[^\s|;&<>)'"#]|(?<=\S)#)+)/y;

/** Words of a shell line up to a pipe, redirection, operator or comment, without quotes and expansion. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  const pattern = new RegExp(WORD);
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    words.push((found[1] as string).replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_, one, two) => one ?? two));
  }
  return words;
}

/** Commands of a line, also after variables, a pipe or `until`, and within $(…). */
export function commandsOf(line: string): string[][] {
  const begins = line.matchAll(
    /(?:^|\$\(|[;|&] |\buntil )\s*(?:[A-Z_]+=\S* )*(?:npx )?(?=(?:perdure|npm|docker|helm) [a-z-])/g,
  );
  return [...begins].map((begin) => shellWords(line.slice(begin.index + begin[0].length)));
}
