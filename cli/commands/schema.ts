import { BUNDLE_KINDS, type BundleKind } from '../../domain/bundle/bundle.ts';
import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';

export const schema: Handler = async ({ arguments: [kind], out }) => {
  const value = await (Object.hasOwn(OTHERS, kind as string) ? OTHERS[kind as string]?.() : ofKind(kind as string));
  out.value(value, () => JSON.stringify(value, null, 2));
  return EXIT.done;
};

/** Files of the folder that hold no resources. */
const OTHERS: Record<string, () => Promise<object>> = {
  overlay: async () => (await import('../overlays.ts')).overlaySchema(),
  settings: async () => (await import('../folderSettings.ts')).settingsSchema(),
  tests: async () => (await import('../../cases/parseCases.ts')).casesSchema(),
};

async function ofKind(kind: string): Promise<object> {
  const isKind = (BUNDLE_KINDS as readonly string[]).includes(kind);
  if (!isKind)
    throw new Usage(`Unknown schema ${kind}: expected ${BUNDLE_KINDS.join(', ')}, overlay, settings or tests`);
  const { offlineSchema } = await import('../../api/operations/bundles/offlineSchema.ts');
  return offlineSchema(kind as BundleKind);
}
