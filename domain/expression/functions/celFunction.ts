/** A function beyond standard CEL. `f(a, b)` and `a.f(b)` are equivalent. */
export interface CelFunction {
  name: string;
  /** For people, e.g. `split(text, separator) → list`. */
  signature: string;
  doc: string;
  least: number;
  most: number;
  /** CEL type of the result, if it does not vary. */
  returns:
    | 'string'
    | 'bool'
    | 'int'
    | 'list'
    | 'map'
    | 'google.protobuf.Timestamp'
    | 'google.protobuf.Duration'
    | 'dyn';
  /** Throws a plain Error with the problem; the caller adds the name and the place. */
  call: (args: readonly unknown[]) => unknown;
}
