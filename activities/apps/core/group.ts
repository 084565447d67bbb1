import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';
import { fieldNames, groupItems } from './groupItems.ts';

/** `[{key, count, items}]`; the key is the field's value, or an object of them where several fields group. */
export const group = withInputs({ items: jsonList, by: fieldNames }, ({ items, by }) =>
  succeeded(
    groupItems(items, by).map(({ values, items: members }) => ({
      key:
        by.length === 1 ? (values[0] ?? null) : Object.fromEntries(by.map((field, at) => [field, values[at] ?? null])),
      count: members.length,
      items: members,
    })),
  ),
);
