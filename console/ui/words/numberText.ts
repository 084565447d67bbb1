/**
 * Formats `1234.5` without grouping, since it may be an order number or a year. Rounds to 15 digits, which removes
 * rounding errors of calculations (`59.699999999999996`).
 */
export const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
