import { STORED, tabTexts } from '../storage/browserStorage.ts';

const KEY = STORED.followed.key;

/** Records that this tab follows another tab's login to another person or workspace. */
export const noteFollowed = () => tabTexts().setItem(KEY, 'yes');

export function hasFollowed(): boolean {
  const has = tabTexts().getItem(KEY) !== null;
  tabTexts().removeItem(KEY);
  return has;
}
