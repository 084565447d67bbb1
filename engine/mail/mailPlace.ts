import { type SealPlace, sealPlace } from '../sealPlace.ts';

/** What a sealed mail is bound to. */
export function mailPlace(id: string): SealPlace {
  return sealPlace('outgoing_mails', { id });
}
