import { BUNDLE_KINDS, type BundleKind } from '../../domain/bundle/bundle.ts';
import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';

export const schema: Handler = async ({ arguments: [kind], out }) => {
  const value = kind === 'tests' ? await ofTests() : await ofKind(kind as string);
  out.value(value, () => JSON.stringify(value, null, 2));
  return EXIT.done;
};

async function ofTests(): Promise<object> {
  const { casesSchema } = await import('../../cases/parseCases.ts');
  return casesSchema();
}

async function ofKind(kind: string): Promise<object> {
  const isKind = (BUNDLE_KINDS as readonly string[]).includes(kind);
  if (!isKind) throw new Usage(`Unknown schema ${kind}: expected ${[...BUNDLE_KINDS].join(', ')} or tests`);
  const { offlineSchema } = await import('../../api/operations/bundles/offlineSchema.ts');
  return offlineSchema(kind as BundleKind);
}
