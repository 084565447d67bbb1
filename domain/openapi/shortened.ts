/** Returns the first paragraph of a description without markup, cut after a sentence or a word. */
export function shortened(description: string, maxCharacters: number): string {
  // A description may have megabytes.
  const [paragraph = ''] = description
    .slice(0, maxCharacters * 8)
    .trim()
    .split(/\n\s*\n/);
  const text = paragraph
    .replace(/<[^>]{0,500}>/g, '')
    .replace(/!?\[([^\]]{0,500})\]\([^)]{0,500}\)/g, '$1')
    .replace(/(`{1,3}|\*{1,3})(\S[^`*]{0,200})\1/g, '$2')
    .replace(/\s+/g, ' ')
    .replace(/^#+ /, '')
    .trim();
  if (text.length <= maxCharacters) return text;
  const begin = text.slice(0, maxCharacters - 1);
  const sentence = begin.lastIndexOf('. ');
  if (sentence > maxCharacters / 3) return begin.slice(0, sentence + 1);
  const word = begin.lastIndexOf(' ');
  return `${begin.slice(0, word > maxCharacters / 2 ? word : begin.length).replace(/[\ud800-\udbff]$/, '')}…`;
}
