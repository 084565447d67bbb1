/** Never splits a surrogate pair. Appends how much was left out. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const begin = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${begin}… (${text.length - begin.length} more characters)`;
}
