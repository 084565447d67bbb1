import { STORED, tabTexts } from '../storage/browserStorage.ts';

const KEY = STORED.followed.key;

/** Records that this tab switches to the login of another tab: of another person, or in another workspace. */
export const noteFollowed = () => tabTexts().setItem(KEY, 'yes');

/** Whether it has just done so. True only once. */
export function hasFollowed(): boolean {
  const has = tabTexts().getItem(KEY) !== null;
  tabTexts().removeItem(KEY);
  return has;
}
