/** Cuts a long text without splitting a surrogate pair, and appends how much was left out. */
export function cutText(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const begin = text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${begin}… (${text.length - begin.length} more characters)`;
}
