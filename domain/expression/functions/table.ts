import type { CelFunction } from './celFunction.ts';
import { ENCODING_FUNCTIONS } from './encoding.ts';
import { LIST_FUNCTIONS } from './lists.ts';
import { MAP_FUNCTIONS } from './maps.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { TEXT_FUNCTIONS } from './text.ts';
import { TIME_PART_FUNCTIONS } from './timeParts.ts';
import { TIME_FUNCTIONS } from './times.ts';

/** Some replace standard functions: linear-time patterns, one kind of number, no machine time zone. */
export const CEL_FUNCTIONS: readonly CelFunction[] = [
  ...TEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...MAP_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...TIME_PART_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
];

export const FUNCTION_BY_NAME: ReadonlyMap<string, CelFunction> = new Map(CEL_FUNCTIONS.map((one) => [one.name, one]));
