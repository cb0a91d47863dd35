// A read that comes later is one that the page repeats by itself.
const LATELY_MS = 5000;

let usedAt = Date.now();
for (const kind of ['pointerdown', 'keydown'])
  window.addEventListener(kind, () => (usedAt = Date.now()), { capture: true, passive: true });

/** Whether somebody has opened or used the page in the last seconds. */
export function isInUse(): boolean {
  return Date.now() - usedAt < LATELY_MS;
}
