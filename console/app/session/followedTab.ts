/** Of this tab alone. */
const KEY = 'perdure.followed';

/** Another tab has logged somebody else in, or gone to another workspace, and this one goes there, too. */
export const noteFollowed = () => sessionStorage.setItem(KEY, 'yes');

/** Whether it has just done so; true once. */
export function hasFollowed(): boolean {
  const has = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return has;
}
