import { Names } from '../../../domain/bundle/names.ts';
import { slugReference } from '../../../domain/bundle/slugReference.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { FieldReference } from '../../../domain/reference/reference.ts';
import { UNKNOWN } from './bundleResources.ts';

/** Resolves names among files; resources that no bundle contains, or that are named by id, may exist elsewhere. */
export class FileNames extends Names {
  protected override readonly nowhere = 'in these files; --remote asks the server too';

  override resolve(reference: FieldReference & { name: string }): { name: string } | { problem: string } {
    const { kind, by, name } = reference;
    if (by === 'id' && isUuid(name)) return { name };
    const isElsewhere = kind === 'connection' || kind === 'object';
    return isElsewhere && slugReference(name)?.kind === kind ? { name: UNKNOWN } : super.resolve(reference);
  }
}
