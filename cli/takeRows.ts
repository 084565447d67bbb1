export async function takeRows<Row>(all: AsyncIterable<Row>, limit = Number.POSITIVE_INFINITY): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of all) {
    rows.push(row);
    if (rows.length >= limit) break;
  }
  return rows;
}
