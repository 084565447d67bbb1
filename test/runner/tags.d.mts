export const TAGS: Record<string, string>;
export function tagsIn(text: string): string[];
