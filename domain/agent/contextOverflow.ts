export interface ContextOverflow {
  /** The model's limit in tokens, including the answer, if reported. */
  tokens?: number;
}

const NAMED =
  /^context_(length|window)_exceeded$|^(prompt|input|request)_too_(long|large)$|^exceed_context_size_error$/i;
/** Error messages of providers without such a name: vLLM, Mistral, Ollama, and the styles of Anthropic and Gemini. */
const SAID =
  /(maximum|max|model'?s?) (model )?context (length|size|window)|exceeds? (the |its )?(maximum |max |available )?(context|number of (input )?tokens)|(prompt|input|request|conversation)( token count)?[^.]{0,40} (is |are )?too (long|large|many tokens)|prompt contains [\d,]+ tokens|input token count[^.]{0,30}exceeds/i;
const LIMIT =
  /(?:maximum|max|limit|available|up to)[^.\d]{0,40}?(?:context|tokens?|length|size|window)[^.\d]{0,30}?(\d[\d,]{2,})|(\d[\d,]{2,})(?: tokens?)? (?:maximum|limit|allowed)|(?:>|more than) ?(\d[\d,]{2,})/i;

/** Returns undefined if the request was rejected for another reason. `names`: code and type of the error. */
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

/** Our estimates differ from the provider's count. */
const SURE = 0.8;

/** `sent` estimates the rejected request; `answer` is reserved for the answer, which the provider counts too. */
export function smallerContext({ tokens }: ContextOverflow, sent: number, answer: number): number {
  const half = Math.floor(sent / 2);
  if (tokens === undefined) return half;
  // If the reported limit exceeds the tokens sent, the provider counts differently, so half is tried.
  const room = Math.floor((tokens - Math.min(answer, tokens / 2)) * SURE);
  return room < sent ? room : half;
}
