const DEEDS = ['pointerdown', 'wheel', 'touchmove', 'keydown'] as const;

/**
 * Keeps an element in the middle of the screen, where no bar covers it, while the page still changes its height, because what stands above the
 * element may load later. Ends with the first thing that the user does, or with the element.
 */
export function keepInSight(element: Element): void {
  const over = new AbortController();
  const { signal } = over;
  const observer = new ResizeObserver(() => {
    if (element.isConnected) element.scrollIntoView({ block: 'center' });
    else over.abort();
  });
  signal.addEventListener('abort', () => observer.disconnect());
  for (const deed of DEEDS) window.addEventListener(deed, () => over.abort(), { signal, passive: true });
  // In a dialog, the page keeps its height.
  observer.observe(element.closest('dialog form') ?? document.body);
}
