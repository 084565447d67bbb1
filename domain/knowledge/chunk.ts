export interface Chunk {
  text: string;
  tokens: number;
}

/** Both in tokens. */
export interface ChunkRules {
  chunkSize: number;
  chunkOverlap: number;
}

export const DEFAULT_CHUNKS: ChunkRules = { chunkSize: 800, chunkOverlap: 100 };

interface Unit {
  text: string;
  tokens: number;
  endsParagraph: boolean;
}

/** Longer texts are split between words before counting, because some tokenizers take quadratic time. */
const MAX_CHARACTERS = 1_000;

const PARAGRAPHS = /[\s\S]*?(?:\n[^\S\n]*\n\s*|$)/g;
const WORDS = /\s*\S+\s*/g;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits a text into chunks of at most chunkSize tokens, the sum of its sentences' tokens. A chunk ends at a paragraph
 * if one ends in its second half, else at a sentence, else between words; longer words are split. The last sentences,
 * up to chunkOverlap tokens, are repeated in the next chunk. Only white space at the edges is lost.
 */
export function splitText(
  text: string,
  { chunkSize, chunkOverlap }: ChunkRules,
  countTokens: (text: string) => number,
): Chunk[] {
  const units = [...unitsOf(text, chunkSize, countTokens)];
  const chunks: Chunk[] = [];
  let from = 0;
  while (from < units.length) {
    const end = endOf(units, from, chunkSize);
    const chunk = chunkOf(units.slice(from, end));
    if (chunk.text !== '') chunks.push(chunk);
    if (end === units.length) break;
    from = overlapFrom(units, from, end, chunkSize, chunkOverlap);
  }
  return chunks;
}

function endOf(units: readonly Unit[], from: number, chunkSize: number): number {
  let tokens = 0;
  let end = from;
  let paragraphEnd: number | undefined;
  for (; end < units.length; end += 1) {
    const unit = units[end] as Unit;
    if (tokens + unit.tokens > chunkSize && end > from) break;
    tokens += unit.tokens;
    if (unit.endsParagraph && tokens * 2 >= chunkSize) paragraphEnd = end + 1;
  }
  return end === units.length ? end : (paragraphEnd ?? end);
}

/** Returns the first unit of the next chunk: after `from`, and such that the unit at `end` fits. */
function overlapFrom(units: readonly Unit[], from: number, end: number, chunkSize: number, overlap: number): number {
  let tokens = 0;
  let next = end;
  const room = Math.min(overlap, chunkSize - (units[end]?.tokens ?? 0));
  while (next - 1 > from) {
    tokens += (units[next - 1] as Unit).tokens;
    if (tokens > room) break;
    next -= 1;
  }
  return next;
}

function chunkOf(units: readonly Unit[]): Chunk {
  return {
    text: units
      .map(({ text }) => text)
      .join('')
      .trim(),
    tokens: units.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function* unitsOf(text: string, most: number, countTokens: (text: string) => number): Generator<Unit> {
  for (const [paragraph] of text.matchAll(PARAGRAPHS)) {
    if (paragraph === '') continue;
    const pieces = [...sentencesOf(paragraph)].flatMap((sentence) => [...fitting(sentence, most, countTokens)]);
    for (const [index, piece] of pieces.entries()) yield { ...piece, endsParagraph: index === pieces.length - 1 };
  }
}

/** The segmenter gets a few thousand characters at a time: to it, a text without sentence ends is one piece. */
function* sentencesOf(paragraph: string): Generator<string> {
  for (const line of paragraph.match(/[^\n]*\n\s*|[^\n]+$/g) ?? []) {
    if (line.length > 20 * MAX_CHARACTERS) yield* joined(line.match(WORDS) ?? [line], MAX_CHARACTERS);
    else for (const { segment } of sentences.segment(line)) yield segment;
  }
}

function* fitting(
  text: string,
  most: number,
  countTokens: (text: string) => number,
): Generator<{ text: string; tokens: number }> {
  if (text.length <= MAX_CHARACTERS) {
    const tokens = countTokens(text);
    if (tokens <= most) {
      yield { text, tokens };
      return;
    }
  }
  const words = text.match(WORDS) ?? [text];
  const pieces = words.length > 1 ? joined(words, text.length / 2) : halves(text);
  for (const piece of pieces) yield* fitting(piece, most, countTokens);
}

/** Joins words into at least two pieces of at most that many characters. */
function* joined(words: readonly string[], maxCharacters: number): Generator<string> {
  const most = Math.min(maxCharacters, MAX_CHARACTERS);
  let piece = '';
  for (const word of words) {
    if (piece !== '' && piece.length + word.length > most) {
      yield piece;
      piece = '';
    }
    piece += word;
  }
  yield piece;
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const at = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
  return at >= text.length ? [text] : [text.slice(0, at), text.slice(at)];
}
