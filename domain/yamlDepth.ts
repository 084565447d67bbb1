/** Whether brackets, or dashes within a line, open more levels. A parser of YAML recurses into each. */
export function isDeeplyNested(tokens: Iterable<string>, maxLevels: number): boolean {
  let brackets = 0;
  let dashes = 0;
  for (const token of tokens) {
    if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets -= 1;
    else if (token === '-' || token === '?') dashes += 1;
    else if (token.includes('\n')) dashes = 0;
    if (brackets + dashes > maxLevels) return true;
  }
  return false;
}
