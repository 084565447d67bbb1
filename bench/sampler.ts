/** What one sample found, in the row's unit; `notes` are told beside it. */
export interface Sample {
  values: number[];
  notes?: Record<string, number>;
}

export type Sampler = () => Promise<Sample>;

/** One side of a row; `close` lets go of what it holds. */
export interface SampledSide {
  sample: Sampler;
  close(): Promise<void>;
}
