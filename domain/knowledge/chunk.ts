/** A part of a text, as it is embedded and shown. */
export interface Chunk {
  text: string;
  tokens: number;
}

/** Tokens. */
export interface ChunkRules {
  chunkSize: number;
  chunkOverlap: number;
}

export const DEFAULT_CHUNKS: ChunkRules = { chunkSize: 800, chunkOverlap: 100 };

/** A piece of text that is not cut any more. */
interface Unit {
  text: string;
  tokens: number;
  endsParagraph: boolean;
}

/** A longer text is cut between words before its tokens are counted, because some tokenizers take quadratic time. */
const MAX_CHARACTERS = 1_000;

const PARAGRAPHS = /[\s\S]*?(?:\n[^\S\n]*\n\s*|$)/g;
const WORDS = /\s*\S+\s*/g;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The chunks of a text, in order, each of at most chunkSize tokens, the sum of its sentences'. Chunks end with a paragraph
 * where one ends in their second half, else with a sentence, else between words; a longer word is cut. The last sentences of
 * a chunk, up to chunkOverlap tokens, begin the next one too. Nothing but white space at the edges of chunks is left out.
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

/** The index behind the last unit of the chunk that begins at `from`. */
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

/** Where the next chunk begins: behind `from`, and so that the unit at `end` has its place in it. */
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

/** Segmenting is asked about some thousand characters at a time: a text without any end of sentence is one piece to it. */
function* sentencesOf(paragraph: string): Generator<string> {
  for (const line of paragraph.match(/[^\n]*\n\s*|[^\n]+$/g) ?? []) {
    if (line.length > 20 * MAX_CHARACTERS) yield* joined(line.match(WORDS) ?? [line], MAX_CHARACTERS);
    else for (const { segment } of sentences.segment(line)) yield segment;
  }
}

/** The piece, or its words together as far as they fit. */
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

/** Words put together again up to so many characters, in at least two pieces. */
function* joined(words: readonly string[], mostCharacters: number): Generator<string> {
  const most = Math.min(mostCharacters, MAX_CHARACTERS);
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

/** Not between the halves of a surrogate pair. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const at = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
  return at >= text.length ? [text] : [text.slice(0, at), text.slice(at)];
}
