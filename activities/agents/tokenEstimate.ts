/** Texts up to this many characters are counted completely; of longer ones, some pieces are. */
const PIECE = 1_024;
const PIECES = 4;
/** Characters counted per request, about 20 ms. For the rest, the ratio so far is used. */
const MAX_COUNTED = 131_072;
/** Models other than the counted one need more tokens for the same text. */
const MARGIN = 1.1;
/** Used before anything is counted. JSON and prose have lower ratios. */
const FIRST_RATIO = 0.4;

/** Uses OpenAI's tokenizer, whose tables it loads, in bounded time for texts of any size. */
export async function tokenEstimate(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Texts that look like control tokens are ordinary text.
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  let characters = 0;
  let tokens = 0;
  const count = (piece: string) => {
    const counted = countTokens(piece, asText);
    characters += piece.length;
    tokens += counted;
    return counted;
  };
  const ratio = () => (characters === 0 ? FIRST_RATIO : tokens / characters);
  return (text) => {
    if (characters + Math.min(text.length, PIECE * PIECES) > MAX_COUNTED)
      return Math.ceil(text.length * ratio() * MARGIN);
    if (text.length <= PIECE * PIECES)
      return Math.ceil(piecesOf(text, PIECE).reduce((sum, each) => sum + count(each), 0) * MARGIN);
    const pieces = Array.from({ length: PIECES }, (_, index) => {
      const from = Math.floor((index * (text.length - PIECE)) / (PIECES - 1));
      return text.slice(from, from + PIECE);
    });
    const counted = pieces.reduce((sum, each) => sum + count(each), 0);
    return Math.ceil((counted / (PIECE * PIECES)) * text.length * MARGIN);
  };
}

/** No piece is longer, because a tokenizer needs long for a long run of one letter. */
function piecesOf(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += characters) pieces.push(text.slice(from, from + characters));
  return pieces;
}
