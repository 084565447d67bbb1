/** `1234.5`, ungrouped, since it may be a number of an order or a year; what a calculation leaves behind the fifteenth digit (`59.699999999999996`) says nothing. */
export const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
