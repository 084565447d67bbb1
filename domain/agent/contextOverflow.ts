/** A provider has said that the request is longer than the context of its model. */
export interface ContextOverflow {
  /** The tokens that the model takes, where it said so: with those of the answer. */
  tokens?: number;
}

/** Names that providers of the protocol give it. */
const NAMED =
  /^context_(length|window)_exceeded$|^(prompt|input|request)_too_(long|large)$|^exceed_context_size_error$/i;
/** What those say that have no name for it: vLLM, Mistral, Anthropic's and Gemini's ways, Ollama. */
const SAID =
  /(maximum|max|model'?s?) (model )?context (length|size|window)|exceeds? (the |its )?(maximum |max |available )?(context|number of (input )?tokens)|(prompt|input|request|conversation)( token count)?[^.]{0,40} (is |are )?too (long|large|many tokens)|prompt contains [\d,]+ tokens|input token count[^.]{0,30}exceeds/i;
const LIMIT =
  /(?:maximum|max|limit|available|up to)[^.\d]{0,40}?(?:context|tokens?|length|size|window)[^.\d]{0,30}?(\d[\d,]{2,})|(\d[\d,]{2,})(?: tokens?)? (?:maximum|limit|allowed)|(?:>|more than) ?(\d[\d,]{2,})/i;

/** Of a refused request; undefined where it was refused for something else. `names`: code and type of the error. */
export function contextOverflowOf(
  status: number | undefined,
  names: readonly string[],
  said: string,
): ContextOverflow | undefined {
  if (status !== undefined && status !== 400 && status !== 413 && status !== 422) return undefined;
  if (!names.some((name) => NAMED.test(name)) && !SAID.test(said)) return undefined;
  const [, ...found] = LIMIT.exec(said) ?? [];
  const tokens = Number((found.find((each) => each !== undefined) ?? '').replaceAll(',', ''));
  return tokens > 0 ? { tokens } : {};
}

/** Estimates of tokens are not the provider's count. */
const SURE = 0.8;

/**
 * The tokens of the next request. `sent`: an estimate of those of the refused one; `answer`: those that the answer may take, which
 * the provider counts too.
 */
export function smallerContext({ tokens }: ContextOverflow, sent: number, answer: number): number {
  const half = Math.floor(sent / 2);
  if (tokens === undefined) return half;
  // A model that is said to take more than was sent counts otherwise than we do.
  const room = Math.floor((tokens - Math.min(answer, tokens / 2)) * SURE);
  return room < sent ? room : half;
}
