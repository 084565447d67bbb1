/** What a sealed mail is bound to. */
export function mailPlace(id: string): string {
  return `mail ${id}`;
}
