import { Names } from '../../../domain/bundle/names.ts';
import { slugReference } from '../../../domain/bundle/slugReference.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { FieldReference } from '../../../domain/reference/reference.ts';
import { UNKNOWN } from './givenResources.ts';

/** The names of the files: what no bundle holds, or is named by its id, may be anywhere. */
export class FileNames extends Names {
  protected override readonly nowhere = 'in these files; --remote asks the server too';

  override resolve(reference: FieldReference & { name: string }): { name: string } | { problem: string } {
    const { kind, by, name } = reference;
    if (by === 'id' && isUuid(name)) return { name };
    const isElsewhere = kind === 'connection' || kind === 'object';
    return isElsewhere && slugReference(name)?.kind === kind ? { name: UNKNOWN } : super.resolve(reference);
  }
}
