import type { Page } from 'playwright-core';

/** Maximum number of Tab presses for one round. */
const FAR = 400;

/** Records each element that gets the focus, and its appearance. */
const SCRIPT = `{
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  const INTERACTIVE =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable=true]';
  const REGION =
    'header, nav, form, section, fieldset, table, main, [role=region], [role=tabpanel], [role=tablist]';
  const wordsOf = (each) =>
    (each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? each.textContent ?? '').trim().slice(0, 40);
  const nameOf = (each) => each.tagName.toLowerCase() + ' ' + (wordsOf(each) || each.outerHTML.slice(0, 80));
  const lookOf = (each) =>
    [each, each.parentElement, each.parentElement?.parentElement, each.nextElementSibling]
      .filter(Boolean)
      .map((one) => {
        const style = getComputedStyle(one);
        const outline = style.outlineStyle === 'none' ? '' : style.outlineStyle + style.outlineWidth + style.outlineColor;
        return [outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
      })
      .join();
  const placeOf = (each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left: left + scrollX, right: right + scrollX, top: top + scrollY, bottom: bottom + scrollY };
  };
  const reached = new Map();
  const wrong = [];
  let first;
  let isRound = false;
  document.activeElement?.blur();
  document.addEventListener('focusin', ({ target }) => {
    first ??= target;
    if (!reached.has(target)) reached.set(target, { look: lookOf(target), place: placeOf(target) });
    else if (target === first) isRound = true;
    else wrong.push('reached twice: ' + nameOf(target));
  });
  const isSeen = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0;
  const isReachable = (each) =>
    isSeen(each) && each.tabIndex >= 0 && !each.matches(':disabled') && each.closest('[inert]') === null;
  const isOfReachedGroup = (each) =>
    each.type === 'radio' && [...reached.keys()].some(({ type, name }) => type === 'radio' && name === each.name);
  // A focused element may be drawn as another one then: an edge above the others, a text as its editor.
  const isReachedAs = (each) => [...reached.keys()].some((one) => !one.isConnected && wordsOf(one) === wordsOf(each));
  // In a graph the order is that of the definition.
  const regionOf = (each) => (each.closest('.react-flow') === null ? each.closest(REGION) : undefined);
  const isOutOfOrder = (before, after) => {
    const isSameRow = after.top < before.bottom - 1 && before.top < after.bottom - 1;
    const isAbove = after.bottom <= before.top + 1;
    return (isAbove && after.left < before.right) || (isSameRow && after.right <= before.left + 1);
  };
  window.tabWalk = {
    isRound: () => isRound,
    wrong() {
      if (!isRound) wrong.push('Tab does not go round');
      document.activeElement?.blur();
      for (const each of document.querySelectorAll(INTERACTIVE)) {
        const isReached = reached.has(each) || isOfReachedGroup(each) || isReachedAs(each);
        if (isReachable(each) && !isReached) wrong.push('not reached: ' + nameOf(each));
      }
      let before;
      for (const [each, { look, place }] of reached) {
        if (each.isConnected && lookOf(each) === look) wrong.push('no focus is seen: ' + nameOf(each));
        const region = regionOf(each);
        if (before !== undefined && region !== undefined && region === regionOf(before.each)) {
          if (isOutOfOrder(before.place, place)) wrong.push('out of order: ' + nameOf(each) + ' after ' + nameOf(before.each));
        }
        before = { each, place };
      }
      return wrong;
    },
  };
}`;

/**
 * Returns what is wrong with a page for keyboard users: elements that are not reached or reached twice, an order that
 * differs from the visible one within a region, a focus that is not visible, and a place that Tab does not leave.
 */
export async function wrongByTab(page: Page): Promise<string[]> {
  const wrong = await walkOnce(page);
  // Repeat once: elements that appeared during the walk were missed.
  return wrong.length === 0 ? wrong : await walkOnce(page);
}

async function walkOnce(page: Page): Promise<string[]> {
  await page.evaluate(SCRIPT);
  for (let at = 0; at < FAR; at += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('tabWalk.isRound()')) break;
  }
  return await page.evaluate<string[]>('tabWalk.wrong()');
}
