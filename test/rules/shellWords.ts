/** A word: texts in quotes, what a person puts something for, a command within, other characters; `#` but at its begin. */
const WORD = /\s*((?:'[^']*'|"(?:[^"\\]|\\.)*"|<[\w -]+>|\$\([^)]*\)|[^\s|;&<>)'"#]|(?<=\S)#)+)/y;

/** Words of a shell's line up to a pipe, a redirection, an operator or a comment; quotes are taken off, nothing is filled in. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  const pattern = new RegExp(WORD);
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    words.push((found[1] as string).replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_, one, two) => one ?? two));
  }
  return words;
}
