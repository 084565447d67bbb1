/** A function beyond standard CEL. `f(a, b)` and `a.f(b)` are the same call. */
export interface CelFunction {
  name: string;
  /** For people, e.g. `split(text, separator) → list`. */
  signature: string;
  /** One line of the documentation. */
  doc: string;
  /** Number of arguments, the one before the dot included. */
  least: number;
  most: number;
  /** CEL type of the result, where it is always the same. */
  returns:
    | 'string'
    | 'bool'
    | 'int'
    | 'list'
    | 'map'
    | 'google.protobuf.Timestamp'
    | 'google.protobuf.Duration'
    | 'dyn';
  /** Throws a plain Error with the problem; the caller adds name and place. */
  call: (args: readonly unknown[]) => unknown;
}
