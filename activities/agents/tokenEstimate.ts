/** Texts of at most so many characters are counted; of longer ones some pieces are. */
const PIECE = 1_024;
const PIECES = 4;
/** Characters that are counted for one request: some 20 ms. Beyond them the ratio so far is taken. */
const MAX_COUNTED = 131_072;
/** Other models than the counted one take more tokens for the same text. */
const MARGIN = 1.1;
/** Before anything was counted: JSON and prose are below it. */
const FIRST_RATIO = 0.4;

/**
 * How many tokens texts are, nearly: counted as OpenAI's models do, in bounded time for texts of any size. Loads the
 * tables of the tokenizer.
 */
export async function tokenEstimate(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // Text that looks like a control token is text.
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

/** A long run of one letter takes a tokenizer long: none is longer than a piece. */
function piecesOf(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += characters) pieces.push(text.slice(from, from + characters));
  return pieces;
}
