/** The result of one sample in the row's unit, with printed `notes`. */
export interface Sample {
  values: number[];
  notes?: Record<string, number>;
}

export type Sampler = () => Promise<Sample>;

export interface SampledSide {
  sample: Sampler;
  close(): Promise<void>;
}
