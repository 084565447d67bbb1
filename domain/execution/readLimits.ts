/** Limits of a single read of an execution; pages and links give access to the rest. */
export interface ReadLimits {
  /** A larger input or output is returned as a link. Bytes of JSON. */
  inlineBytes: number;
  /** Number of newest iterations whose steps are included. */
  pathIterations: number;
  /** Maximum number of steps inside loops that are scanned: long loop bodies show fewer iterations. */
  pathSteps: number;
  /** Inputs, outputs and consoles in one read, newest steps first; the others are links. Bytes of JSON. */
  pathBytes: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  inlineBytes: 262_144,
  pathIterations: 1_000,
  pathSteps: 10_000,
  pathBytes: 4_194_304,
};
