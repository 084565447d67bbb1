/** Loaded at its first use, because only the code and the clipboard need it. */
export const loadYaml = () => import('yaml');
export type Yaml = Awaited<ReturnType<typeof loadYaml>>;

const IN_CODE = /^(trigger|nodes|edges|output|labels|notes)\b/;

/** Whether a place is part of the code, which contains the definition alone. */
export const isInCode = (path: string): boolean => IN_CODE.test(path);
