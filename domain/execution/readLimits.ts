/** How much of an execution one read shows; the rest is given by page and by link. */
export interface ReadLimits {
  /** An input or output above this is a link. Bytes of JSON. */
  inlineBytes: number;
  /** Newest iterations whose steps are shown. */
  pathIterations: number;
  /** How many steps inside loops are looked through for them: loops of long bodies show fewer iterations. */
  pathSteps: number;
  /** Inputs, outputs and consoles that one read shows together, of the newest steps; others are links. Bytes of JSON. */
  pathBytes: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  inlineBytes: 262_144,
  pathIterations: 1_000,
  pathSteps: 10_000,
  pathBytes: 4_194_304,
};
