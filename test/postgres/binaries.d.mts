export const NO_TLS: string | undefined;
export function wheelBinaries(home: string, options?: { contrib?: boolean }): string;
export function tlsBinaries(home: string): string;
