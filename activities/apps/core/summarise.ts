import { z } from 'zod';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';
import { fieldNames, groupItems } from './group.ts';
import { MEASURE_OPERATIONS, measure, UnfitValues } from './measure.ts';

const measureInput = z
  .strictObject({
    field: z.string().default(''),
    operation: z.enum(MEASURE_OPERATIONS),
    as: z.string().min(1).optional(),
  })
  .transform(({ field, operation, as }) => ({
    field,
    operation,
    as: as ?? (field === '' ? operation : `${operation}_${field}`),
  }));
type Measure = z.output<typeof measureInput>;

/** Without `by`, one object of figures; with it, one row per group, with the grouping fields first. */
export const summarise = withInputs(
  {
    items: jsonList,
    by: fieldNames.optional(),
    measures: z
      .array(measureInput)
      .min(1)
      .default([{ field: '', operation: 'count', as: 'count' }]),
  },
  ({ items, by, measures }) => {
    try {
      if (by === undefined) return succeeded(figures(items, measures));
      const rows = groupItems(items, by).map(({ values, items: members }) => ({
        ...Object.fromEntries(by.map((field, at) => [field, values[at] ?? null])),
        ...figures(members, measures),
      }));
      return succeeded(rows);
    } catch (error) {
      if (error instanceof UnfitValues) return failed('INVALID_INPUT', error.message);
      throw error;
    }
  },
);

function figures(items: Json[], measures: Measure[]): JsonObject {
  return Object.fromEntries(measures.map(({ field, operation, as }) => [as, measure(operation, items, field)]));
}
