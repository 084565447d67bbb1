/** Ungrouped, since it may be an order number or a year. 15 digits, without rounding errors (`59.699999999999996`). */
export const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
